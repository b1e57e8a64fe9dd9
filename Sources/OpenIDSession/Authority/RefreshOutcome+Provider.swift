// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import OpenIDConnect

extension RefreshOutcome {
    /// Maps a failure of the provider's token endpoint to an outcome.
    ///
    /// Only `invalid_grant`, or a code of the provider's profile, ends the session. Everything else keeps it: no network,
    /// a failing provider, a malformed response, client settings that the provider refuses, or a refusal that doesn't
    /// say why.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - provider: The provider.
    ///   - mayEndSession: Whether the request presented a grant that can end. False for a program's.
    init(providerFailure error: any Error, at provider: OpenIDProvider, mayEndSession: Bool = true) {
        if error is ClientAssertionError || error is ClientPolicyError {
            // No request was sent.
            self = .failed(AuthSessionError(.refreshFailed, explanation: "\(error)", underlying: error))
            return
        }
        guard let error = error as? TokenEndpointError else {
            self.init(failure: error)
            return
        }
        switch error.code {
        case .refused where mayEndSession && error.oauthCode.map(provider.endsSession) ?? false:
            self = .refused(AuthSessionError(.sessionEnded, of: error))
        case .unreachable:
            let fault = error.underlying as? APIError
            // If the request was not sent, the provider has not used up the refresh token.
            let left = (fault?.underlying as? TransportError)?.mayHaveReachedServer ?? true
            self =
                left
                ? .unknown(AuthSessionError(.refreshOutcomeUnknown, of: error))
                : .failed(AuthSessionError(.unreachable, of: error))
        case .malformedResponse:
            self = .unknown(AuthSessionError(.refreshOutcomeUnknown, of: error))
        case .serverFailed where error.status == 502 || error.status == 504:
            // A gateway's response: the provider behind it may have completed the refresh.
            self = .unknown(AuthSessionError(.refreshOutcomeUnknown, of: error))
        case .serverFailed:
            self = .doubtful(AuthSessionError(.unreachable, of: error))
        case .rateLimited, .redirected:
            self = .failed(AuthSessionError(.unreachable, of: error))
        case .refused where error.oauthCode == nil && (error.isPage || error.status != 400 && error.status != 401):
            // Not an OAuth error response: an intermediary may have sent it.
            self = .failed(AuthSessionError(.unreachable, of: error))
        case .refused where error.oauthCode.map(Self.clientErrors.contains) ?? false:
            self = .failed(AuthSessionError(.refreshFailed, of: error))
        case .refused:
            // Some providers refuse a refresh token that has ended in this way.
            self = .failed(AuthSessionError(.refreshRefused, of: error))
        default:
            self = .doubtful(AuthSessionError(.invalidResponse, of: error))
        }
    }

    /// The codes by which a provider refuses the client, and not the refresh token.
    private static let clientErrors: Set<OAuthErrorCode> = [
        .invalidClient, .unauthorizedClient, .invalidScope, .unsupportedGrantType,
    ]
}

extension OpenIDProvider {
    /// Returns whether a refusal of a refresh ends the session.
    fileprivate func endsSession(_ code: OAuthErrorCode) -> Bool {
        code == .invalidGrant || profile.endedSessionCodes.contains(code.rawValue)
    }
}

extension AuthSessionError {
    /// Creates an error with the details of a token endpoint's error.
    init(_ code: Code, of error: TokenEndpointError) {
        self.init(
            code,
            serverCode: error.oauthCode.map { ServerErrorCode(rawValue: $0.rawValue) },
            serverMessage: error.oauthDescription,
            retryAfter: error.retryAfter,
            explanation: code == .invalidResponse ? "\(error)" : nil,
            underlying: error
        )
    }
}
