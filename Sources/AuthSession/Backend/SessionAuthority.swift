import AuthCore
import OpenIDConnect

/// Who issues a session's tokens and decides over them.
protocol SessionAuthority: Sendable {
    /// When its tokens are due.
    var refreshWindow: RefreshWindow { get }

    /// Whether a refresh uses up what it is asked for with: a refresh token that rotates.
    ///
    /// Then it is sent only where its answer can be kept, and no other process may send it too.
    var usesTokenUp: Bool { get }

    /// How long after a refresh the same one gets the same answer again; nil where no such thing is known.
    ///
    /// Within it, and only then, a refresh is sent again whose answer did not come.
    var graceWindow: Duration? { get }

    /// Whether there is a call that says whether a session still stands, or at least whether the server can be reached.
    var validates: Bool { get }

    /// Whether ``validate(_:)`` asks the server anything.
    var reachesServer: Bool { get }

    /// Whether a sign-out that the server could not be told of is kept, and told later.
    var retriesSignOut: Bool { get }

    /// Whether these tokens can be exchanged for new ones at all.
    func canRefresh(_ tokens: TokenSet) -> Bool

    /// Asks for new tokens. Never throws: what happened is the outcome.
    ///
    /// - Parameters:
    ///   - tokens: What is asked for with.
    ///   - user: Whose they are, as far as it is known.
    ///   - isInTime: Whether a token that is used up by it may still be shown, asked when it is about to leave.
    /// - Returns: What came of it.
    func refresh(
        _ tokens: TokenSet,
        of user: User?,
        leavingWhile isInTime: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome

    /// Asks whether the session still stands, where the contract has a call for it.
    ///
    /// - Parameters:
    ///   - tokens: The session's.
    ///   - user: Whose they are, as far as it is known.
    /// - Returns: The user in the server's words; nil if it does not say.
    /// - Throws: `APIError` (`unauthorized` where it does not); `CancellationError`.
    func validate(_ tokens: TokenSet, of user: User?) async throws -> User?

    /// Whether the server still takes an access token that nothing can be exchanged for.
    ///
    /// - Returns: What it says; nil where it can't be asked, or does not say.
    func takes(_ tokens: TokenSet) async -> Bool?

    /// Tells the server that the person signed out, where the contract has a call for it.
    ///
    /// - Returns: Whether the server was told; false where there is nothing to tell.
    /// - Throws: `APIError`; `CancellationError`.
    func signOut(_ tokens: TokenSet) async throws -> Bool
}

extension SessionAuthority {
    var validates: Bool { true }
    var reachesServer: Bool { true }
    var retriesSignOut: Bool { false }

    func canRefresh(_ tokens: TokenSet) -> Bool { true }
    func takes(_ tokens: TokenSet) async -> Bool? { nil }
}

/// Tokens as a server gave them, and when they were asked for.
struct IssuedTokens: Sendable {
    let tokens: TokenSet
    /// The start of the request, from which the tokens' lifetime counts.
    let requestedAt: Moment
    /// The ID token of a refresh, to be verified once the tokens are stored; nil if there is none.
    var idToken: RefreshedIDToken?
}

/// What came of a refresh.
enum RefreshOutcome: Sendable {
    /// New tokens. What the answer omitted is still missing.
    case refreshed(IssuedTokens)
    /// A new refresh token has taken the old one's place, and no access token came with it that may be used.
    ///
    /// The refresh token is kept, or the next refresh would show one that is used up.
    case rotated(RefreshToken, AuthSessionError)
    /// The server says that the session is over.
    case refused(AuthSessionError)
    /// The request left and no answer came.
    case unknown(AuthSessionError)
    /// It did not work, and the session stays.
    case failed(AuthSessionError)
}
