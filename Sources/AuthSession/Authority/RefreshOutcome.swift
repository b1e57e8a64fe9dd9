// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The outcome of a refresh.
public enum RefreshOutcome: Sendable {
    /// The server issued new tokens.
    case refreshed(IssuedTokens)
    /// The server replaced the refresh token, and sent no usable access token with it.
    ///
    /// The new refresh token is kept. Otherwise the next refresh would present a used one.
    case rotated(RefreshToken, AuthSessionError)
    /// The tokens belong to another user and are not kept.
    ///
    /// `revocation` revokes them.
    case mismatched(AuthSessionError, revocation: @Sendable () async -> Void)
    /// The server says that the session has ended.
    case refused(AuthSessionError)
    /// The request was sent and no response came, or an earlier request was, and it was too late to repeat it.
    ///
    /// The session stays.
    case unknown(AuthSessionError)
    /// The server failed, and may have replaced the tokens first.
    ///
    /// The session stays.
    case doubtful(AuthSessionError)
    /// The server did not replace the tokens. The session stays.
    case failed(AuthSessionError)
}
