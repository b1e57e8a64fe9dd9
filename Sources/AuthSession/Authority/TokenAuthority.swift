// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore

/// The server that issues a session's tokens and decides on their validity.
///
/// `AppBackendSession` has those of an app's own backend, and `OpenIDSession` that of a provider. Another package can
/// implement its own and pass it to ``SessionBackend/init(_:revokingAt:)``. A session calls it from any task. Errors hold no
/// secret.
public protocol TokenAuthority: Sendable {
    /// The server's address; for a provider, its issuer.
    var baseURL: BaseURL { get }

    /// The name of this authority, and what makes it again at the next launch.
    var record: AuthorityRecord { get }

    /// The server's rules for its tokens.
    var policy: AuthorityPolicy { get }

    /// Connects this authority to a session's transport and clocks.
    ///
    /// - Returns: The same authority with this connection.
    func connected(over connection: AuthorityConnection) -> Self

    /// Returns whether these tokens can be exchanged for new ones.
    ///
    /// - Parameter tokens: The session's tokens. Secret.
    func canRefresh(_ tokens: TokenSet) -> Bool

    /// Exchanges tokens for new ones, or for an access token for another API.
    ///
    /// Never throws: the outcome describes a failure. If the request may have been sent and no response came, the
    /// outcome is ``RefreshOutcome/unknown(_:)``, even if the task is cancelled.
    ///
    /// - Parameters:
    ///   - tokens: The session's tokens. Secret.
    ///   - request: The other API, by one of the policy's grants; nil for the session's own tokens. A refresh token may
    ///     be used up either way, and a new one replaces the session's. A refusal leaves the session.
    ///   - user: The user of the tokens, if known. Tokens of another user are refused.
    ///   - sendGuard: Whether the request may still be sent. Called once there is a connection; matters only if the
    ///     request uses up its token.
    func refresh(
        _ tokens: TokenSet,
        for request: ResourceRequest?,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome

    /// Asks the server whether a session is valid.
    ///
    /// - Parameters:
    ///   - tokens: The session's tokens. Secret.
    ///   - user: The user of the tokens, if known.
    /// - Returns: The server's decision; nil if only a refresh tells, which is the default.
    func validate(_ tokens: TokenSet, of user: SessionUser?) async -> SessionValidation?

    /// Creates the credential that a request presents for these tokens.
    ///
    /// - Parameter tokens: The session's tokens. Secret.
    /// - Returns: The credential; a bearer token's by default. Secret.
    func credential(for tokens: TokenSet) -> AccessCredential

    /// Ends the session at the server after the user signed out.
    ///
    /// - Parameter tokens: The session's tokens. Secret.
    func signOut(_ tokens: RevocableTokens) async -> RevocationResponse
}

extension TokenAuthority {
    /// The name of this authority.
    public var id: AuthorityID { record.id }

    public func validate(_ tokens: TokenSet, of user: SessionUser?) async -> SessionValidation? { nil }

    public func credential(for tokens: TokenSet) -> AccessCredential { AccessCredential(tokens.accessToken) }

    /// Whether a refresh uses up the token that it is made with.
    var rotatesRefreshTokens: Bool { policy.rotation.rotatesRefreshTokens }

    /// The time for which the same refresh gets the same response; nil if unknown.
    var graceWindow: Duration? { policy.rotation.graceWindow }
}
