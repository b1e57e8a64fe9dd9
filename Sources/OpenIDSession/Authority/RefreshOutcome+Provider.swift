// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import OpenIDConnect

extension RefreshOutcome {
    /// Maps a failure of the provider's token endpoint to an outcome.
    ///
    /// Only `invalid_grant`, or a code of the provider's profile, ends the session; `invalid_grant` with a 5xx does the
    /// second time. Everything else keeps it: no network, a failing provider, a malformed response, or another refusal.
    /// `mayEndSession` is false for a token exchange, which ends nothing.
    init(providerFailure error: any Error, at provider: OpenIDProvider, mayEndSession: Bool = true) {
        guard let error = error as? OpenIDError, [.token, .clientAssertion].contains(error.operation) else {
            self.init(failure: error)
            return
        }
        let codes = provider.profile.endedSessionCodes.union([OAuthErrorCode.invalidGrant.rawValue])
        let endsSession = mayEndSession && error.oauthCode.map { codes.contains($0.rawValue) } ?? false
        self.init(Failure(error, endsSession: endsSession)) { AuthSessionError($0, of: error) }
    }
}

extension RefreshOutcome.Failure {
    /// The codes by which a provider refuses the client, and not the refresh token.
    private static let clientErrors: Set<OAuthErrorCode> = [
        .invalidClient, .unauthorizedClient, .invalidScope, .unsupportedGrantType,
    ]

    fileprivate init(_ error: OpenIDError, endsSession: Bool) {
        self =
            switch error.code {
            // The app's own signer failed, whatever its error says, and no request was sent.
            case _ where error.operation == .clientAssertion: .appRefused
            // No request was sent.
            case .unusableCredential, .unsupported, .invalidRequest, .browserUnavailable: .appRefused
            case .unreachable: error.mayHaveReachedServer ? .noResponse : .notProcessed
            case .malformedResponse: .noResponse
            case .serverFailed where endsSession: .failedAndEnded
            case .serverFailed: .serverFailed(status: error.status)
            case .rateLimited: .notProcessed
            case .invalidResponse where error.reason == .redirected: .notProcessed
            case .refused where endsSession: .ended
            // Not an OAuth error response: an intermediary may have sent it.
            case .refused where error.oauthCode == nil && (error.isPage || error.status != 400 && error.status != 401):
                .notProcessed
            case .refused where error.oauthCode.map(Self.clientErrors.contains) ?? false: .appRefused
            // Some providers refuse a refresh token that has ended in this way.
            case .refused: .refused
            case .invalidResponse, .cancelled, .timedOut: .unusableTokens
            }
    }
}

extension AuthSessionError {
    /// Creates an error with the details of a provider's error.
    init(_ code: Code, of error: OpenIDError) {
        self.init(
            code,
            serverCode: error.oauthCode.map { ServerErrorCode(rawValue: $0.rawValue) },
            serverMessage: error.serverMessage,
            retryAfter: error.retryAfter,
            underlying: error
        )
    }
}
