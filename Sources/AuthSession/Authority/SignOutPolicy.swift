// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore

/// The way in which a sign-out ends the session at the server.
public enum SignOutPolicy: Sendable, Hashable {
    /// One call ends the session, for which an expired access token is refreshed.
    ///
    /// If it fails, the server's session ends by itself in time.
    case endsSession
    /// The tokens are revoked ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)).
    ///
    /// A revocation that fails is kept in the store and tried again. It waits while the same user is signed in, because
    /// the tokens of two sign-ins may belong to one grant. `isSupported` is false if the server has no revocation
    /// endpoint.
    case revokesTokens(isSupported: Bool)

    /// Whether the tokens are revoked.
    var isRevocation: Bool { if case .revokesTokens = self { true } else { false } }
}

/// The tokens of a session that the user signed out of.
///
/// For a later attempt, only the refresh token, or else the access token, is kept, beside ``exchangedTokens``.
public struct RevocableTokens: Sendable {
    /// The access token; secret.
    public let accessToken: AccessToken?
    /// The refresh token; secret.
    public let refreshToken: RefreshToken?
    /// The secret access tokens for other APIs that the end of the refresh token need not end.
    public let exchangedTokens: [AccessToken]

    /// Creates a value from the tokens of a session.
    public init(_ tokens: TokenSet) {
        self.init(accessToken: tokens.accessToken, refreshToken: tokens.refreshToken)
    }

    /// Creates a value from the tokens that are left of a session.
    public init(accessToken: AccessToken?, refreshToken: RefreshToken?, exchangedTokens: [AccessToken] = []) {
        (self.accessToken, self.refreshToken, self.exchangedTokens) = (accessToken, refreshToken, exchangedTokens)
    }
}

/// The outcome of one call of ``TokenAuthority/signOut(_:)``; the app gets a ``SignOutResult``.
public enum RevocationResponse: Sendable, Hashable {
    /// The server ended the session.
    case revoked
    /// The server has no call to end a session.
    case notApplicable
    /// The server refuses the access token, and may accept a new one.
    case unauthorized
    /// The server refuses the call, and would refuse it again if it sent an error code.
    ///
    /// Without a code, something in front of the server may have refused. A revocation is then repeated a few times.
    case refused(ServerErrorCode?)
    /// The call failed; a later attempt may succeed.
    case failed
}

/// The outcome of a sign-out at the server.
public enum RevocationOutcome: String, Sendable, Hashable {
    /// The server ended the session too: its tokens are revoked.
    case revoked
    /// The server has no such call, no user was signed in, a user signed in meanwhile, or another sign-out notifies the
    /// server.
    case notApplicable
    /// The revocation failed for now. It is recorded in the store, and tried again later.
    case deferred
    /// The server could not be notified or refused, and its side of the session ends by itself in time.
    ///
    /// No later attempt is recorded, unless the server refused without a reason: the revocation is then repeated up to
    /// four times, at least six hours apart.
    case failed
}
