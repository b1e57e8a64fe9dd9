// SPDX-License-Identifier: Apache-2.0

/// The accounts under which older versions of an app kept the parts of a session.
///
/// The defaults are names that apps of both contracts use. None of them is secret.
public struct LegacySessionNames: Sendable, Hashable {
    /// The session token, for ``SessionBackend/Contract/sessionToken``.
    public var token: String
    /// The server's identifier of the user, beside the token or the pair of tokens.
    public var userID: String
    /// The access token, for ``SessionBackend/Contract/tokenPair``.
    public var accessToken: String
    /// The refresh token, for ``SessionBackend/Contract/tokenPair``.
    public var refreshToken: String
    /// The access token's expiry, for ``SessionBackend/Contract/tokenPair``.
    public var tokenExpiry: String

    /// Creates names.
    ///
    /// - Parameters:
    ///   - token: The account of the session token.
    ///   - userID: The account of the user's identifier.
    ///   - accessToken: The account of the access token.
    ///   - refreshToken: The account of the refresh token.
    ///   - tokenExpiry: The account of the access token's expiry.
    public init(
        token: String = "authToken",
        userID: String = "userId",
        accessToken: String = "accessToken",
        refreshToken: String = "refreshToken",
        tokenExpiry: String = "tokenExpiry"
    ) {
        self.token = token
        self.userID = userID
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.tokenExpiry = tokenExpiry
    }
}
