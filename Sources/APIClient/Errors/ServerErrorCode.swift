// SPDX-License-Identifier: Apache-2.0

/// A server's own error code, such as `role_conflict`.
///
/// An open set: servers define their own.
public struct ServerErrorCode: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The e-mail address or the password is wrong.
    package static let invalidCredentials = ServerErrorCode(rawValue: "invalid_credentials")
    /// The account has another role than the app's users; the message is written for the user.
    package static let roleConflict = ServerErrorCode(rawValue: "role_conflict")
    /// There were too many attempts; the response may request a wait.
    package static let rateLimited = ServerErrorCode(rawValue: "rate_limited")
    /// The API key is missing or wrong: the server refuses the app, and says nothing about the user.
    package static let invalidAPIKey = ServerErrorCode(rawValue: "invalid_api_key")
    /// The access token has expired by the server's clock.
    package static let tokenExpired = ServerErrorCode(rawValue: "token_expired")
    /// The session has ended.
    package static let sessionEnded = ServerErrorCode(rawValue: "session_ended")
    /// The grant is used up, revoked, expired, or another client's (RFC 6749, 5.2).
    package static let invalidGrant = ServerErrorCode(rawValue: "invalid_grant")
    /// A value of the user's profile is refused; the message is written for the user.
    package static let invalidProfile = ServerErrorCode(rawValue: "invalid_profile")

    /// All codes that this library knows.
    static let known: Set = [
        invalidCredentials, roleConflict, rateLimited, invalidAPIKey, tokenExpired, sessionEnded, invalidGrant,
        invalidProfile,
    ]
}
