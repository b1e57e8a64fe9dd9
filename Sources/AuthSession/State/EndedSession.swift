/// A session that the user signed out of, while the store may still hold it.
///
/// Several sign-outs may work on it, one after another or at once. The session's actor owns it.
final class EndedSession {
    let session: HeldSession
    /// The generation of the tokens that the server was notified of, or is being notified of; nil if it was not.
    private var toldGeneration: Int?

    init(_ session: HeldSession) {
        self.session = session
    }

    /// Returns whether the caller is to notify the server of a generation's tokens.
    ///
    /// Only one caller does, until it fails.
    func claimTelling(of generation: Int) -> Bool {
        if let toldGeneration, toldGeneration >= generation { return false }
        toldGeneration = generation
        return true
    }

    /// Releases the claim after the server could not be notified, so that the next sign-out tries again.
    func couldNotTell(of generation: Int) {
        if toldGeneration == generation { toldGeneration = nil }
    }
}
