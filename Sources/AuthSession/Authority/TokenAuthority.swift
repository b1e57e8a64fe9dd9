// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The server that issues a session's tokens and decides on their validity.
///
/// `AppBackendSession` has those of an app's own backend, and `OpenIDAuthority` is an OpenID provider. Another package can
/// implement its own and pass it to ``SessionBackend/init(_:revokingAt:)``. A session calls it from any task. Errors hold no secret.
public protocol TokenAuthority: Sendable {
    /// The server's address; for a provider, its issuer.
    var baseURL: BaseURL { get }

    /// The name of this authority, which a sign-in stores with the tokens.
    ///
    /// Tokens that were stored with another one must never be sent to this authority.
    var id: AuthorityID { get }

    /// The APIs that the app's configuration names for all access tokens; empty by default.
    ///
    /// Wire: `resource`. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    var resources: [String] { get }

    /// The data from which an ``AuthorityKind`` makes the authority of a stored session, beside the ID; nil by default.
    ///
    /// A sign-in stores it. A refresh leaves the stored one. Secret if it holds an API key or a client secret.
    var details: Data? { get }

    /// Connects this authority to a session's transport and clocks.
    ///
    /// - Parameter connection: The connection.
    /// - Returns: The same authority with this connection.
    func connected(over connection: AuthorityConnection) -> Self

    /// The time before an access token's expiry at which a session refreshes it.
    var refreshWindow: RefreshWindow { get }

    /// The effect of a refresh on the token that it is made with.
    var rotation: RotationPolicy { get }

    /// Returns whether these tokens can be exchanged for new ones.
    ///
    /// - Parameter tokens: The session's tokens. Secret.
    /// - Returns: False if no token can be presented for new ones.
    func canRefresh(_ tokens: TokenSet) -> Bool

    /// Exchanges tokens for new ones.
    ///
    /// Never throws: the outcome describes a failure. If the request may have been sent and no response came, the
    /// outcome is ``RefreshOutcome/unknown(_:)``, even if the task is cancelled.
    ///
    /// - Parameters:
    ///   - tokens: The session's tokens. Secret.
    ///   - user: The user of the tokens, if known. Tokens of another user are refused.
    ///   - sendGuard: Whether the request may still be sent. Called once there is a connection; matters only if the
    ///     refresh uses up its token.
    /// - Returns: The outcome.
    func refresh(
        _ tokens: TokenSet,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome

    /// The grants by which the server issues access tokens for other APIs.
    ///
    /// Empty by default: ``tokens(for:by:with:of:sendGuard:)`` is then never called.
    var resourceTokenGrants: Set<ResourceTokenGrant> { get }

    /// Exchanges tokens for an access token for another API.
    ///
    /// Never throws, like ``refresh(_:of:sendGuard:)``. A refusal leaves the session. The default sends nothing.
    ///
    /// - Parameters:
    ///   - target: The API.
    ///   - grant: The grant. A refresh token may be used up as by a refresh.
    ///   - tokens: The session's tokens. Secret.
    ///   - user: The user of the tokens, if known. Tokens of another user are refused.
    ///   - sendGuard: Whether the request may still be sent. Called once there is a connection; matters only if the
    ///     request uses up its token.
    /// - Returns: The outcome. Its access token is for the API, and its refresh token replaces the session's.
    func tokens(
        for target: TokenTarget,
        by grant: ResourceTokenGrant,
        with tokens: TokenSet,
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

    /// The way in which a sign-out ends the session at the server.
    var signOutPolicy: SignOutPolicy { get }

    /// Ends the session at the server after the user signed out.
    ///
    /// - Parameter tokens: The session's tokens. Secret.
    /// - Returns: The result.
    func signOut(_ tokens: RevocableTokens) async -> RevocationResponse
}

extension TokenAuthority {
    /// Empty, because the app knows the APIs of the tokens.
    public var resources: [String] { [] }

    /// Returns nil, because the ID says enough.
    public var details: Data? { nil }

    /// The part of a stored session that names this authority.
    package var record: AuthorityRecord { AuthorityRecord(self) }

    /// Returns nil, because only a refresh tells whether a session is valid.
    public func validate(_ tokens: TokenSet, of user: SessionUser?) async -> SessionValidation? { nil }

    /// Returns the credential of a bearer token.
    public func credential(for tokens: TokenSet) -> AccessCredential { AccessCredential(tokens.accessToken) }

    /// Empty, because the server has no tokens for other APIs.
    public var resourceTokenGrants: Set<ResourceTokenGrant> { [] }

    /// Fails with `contractMismatch`, because the server has no tokens for other APIs.
    public func tokens(
        for target: TokenTarget,
        by grant: ResourceTokenGrant,
        with tokens: TokenSet,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        .failed(AuthSessionError(.contractMismatch))
    }

    /// Whether a refresh uses up the token that it is made with.
    var rotatesRefreshTokens: Bool { rotation.rotatesRefreshTokens }

    /// The time for which the same refresh gets the same response; nil if unknown.
    var graceWindow: Duration? { rotation.graceWindow }
}
