import AuthCore

/// Who issues a session's tokens and decides over them.
protocol SessionAuthority: Sendable {
    /// When its tokens are due.
    var refreshWindow: RefreshWindow { get }

    /// Asks for new tokens. Never throws: what happened is the outcome.
    func refresh(_ tokens: TokenSet) async -> RefreshOutcome

    /// Asks whether the session still stands, where the contract has a call for it.
    ///
    /// - Throws: `APIError` (`unauthorized` where it does not); `CancellationError`.
    func validate(_ tokens: TokenSet) async throws -> User?

    /// Tells the server that the person signed out, where the contract has a call for it.
    ///
    /// - Returns: Whether the server was told; false where there is nothing to tell.
    /// - Throws: `APIError`; `CancellationError`.
    func signOut(_ tokens: TokenSet) async throws -> Bool
}

/// What came of a refresh.
enum RefreshOutcome: Sendable {
    /// New tokens. What the answer omitted is still missing.
    case refreshed(TokenSet)
    /// The server says that the session is over.
    case refused(AuthSessionError)
    /// The request left and no answer came.
    case unknown(AuthSessionError)
    /// It did not work, and the session stays.
    case failed(AuthSessionError)
}
