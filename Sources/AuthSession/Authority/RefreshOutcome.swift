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
    ///
    /// With the code `unreachable`, it says so while it fails: the session ends if it says so again a minute later.
    case refused(AuthSessionError)
    /// The request was sent and no response came, or an earlier request was, and it was too late to repeat it.
    ///
    /// The session stays.
    case unknown(AuthSessionError)
    /// The server failed, or its response has no usable token; it may have replaced the tokens.
    ///
    /// The session stays.
    case doubtful(AuthSessionError)
    /// The server did not replace the tokens. The session stays.
    case failed(AuthSessionError)
}

extension RefreshOutcome {
    /// The ways in which a refresh fails, at any server.
    package enum Failure: Sendable {
        /// The request was not sent, or something in front of the server turned it away.
        case notProcessed
        /// The request may have been sent, and no response came that can be read.
        case noResponse
        /// The server failed.
        case serverFailed(status: Int?)
        /// The response has no usable token. A server that sends it has replaced the old one.
        case unusableTokens
        /// The server says that the session has ended.
        case ended
        /// The server failed, and says that the session has ended.
        case failedAndEnded
        /// The server refused the app, and has said nothing of the session.
        case appRefused
        /// The server refused the tokens, and has not said that the session is over.
        case refused
    }

    /// Decides the outcome of a failed refresh.
    package init(_ failure: Failure, _ error: (AuthSessionError.Code) -> AuthSessionError) {
        switch failure {
        case .notProcessed: self = .failed(error(.unreachable))
        // A gateway sent 502 and 504: the server behind it may have carried out the refresh.
        case .noResponse, .serverFailed(502), .serverFailed(504): self = .unknown(error(.refreshOutcomeUnknown))
        case .serverFailed: self = .doubtful(error(.unreachable))
        case .unusableTokens: self = .doubtful(error(.invalidResponse))
        case .ended: self = .refused(error(.sessionEnded))
        case .failedAndEnded: self = .refused(error(.unreachable))
        case .appRefused: self = .failed(error(.refreshFailed))
        case .refused: self = .failed(error(.refreshRefused))
        }
    }
}
