// SPDX-License-Identifier: Apache-2.0

/// A session that the user signed out of, while the store may still hold it.
///
/// Several sign-outs may work on it, one after another or at once. The session's actor owns it.
final class EndedSession {
    let session: CurrentSession
    /// The generation of the tokens that the server was notified of, or is being notified of; nil if it was not.
    private var claimedTokenGeneration: Int?

    init(_ session: CurrentSession) {
        self.session = session
    }

    /// Returns whether the caller is to notify the server of a generation's tokens.
    ///
    /// Only one caller does, until it fails.
    func claimRevocation(of tokenGeneration: Int) -> Bool {
        if let claimedTokenGeneration, claimedTokenGeneration >= tokenGeneration { return false }
        claimedTokenGeneration = tokenGeneration
        return true
    }

    /// Releases the claim after the server could not be notified, so that the next sign-out tries again.
    func revocationFailed(of tokenGeneration: Int) {
        if claimedTokenGeneration == tokenGeneration { claimedTokenGeneration = nil }
    }
}
