/// A session that was signed out of, as long as the store may still hold it.
///
/// Several sign-outs may be at it, one after the other or at once; the session's actor owns it.
final class EndedSession {
    let session: HeldSession
    /// The generation of the tokens that the server was told of, or is being told of; nil where it knows nothing.
    private var toldGeneration: Int?

    init(_ session: HeldSession) {
        self.session = session
    }

    /// Whether the server is to be told of a generation's tokens: by one who asks, and as long as it was not.
    func claimTelling(of generation: Int) -> Bool {
        if let toldGeneration, toldGeneration >= generation { return false }
        toldGeneration = generation
        return true
    }

    /// The server could not be told: the next one may try.
    func couldNotTell(of generation: Int) {
        if toldGeneration == generation { toldGeneration = nil }
    }
}
