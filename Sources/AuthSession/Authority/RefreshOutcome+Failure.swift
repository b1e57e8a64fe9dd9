// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

extension RefreshOutcome {
    /// Creates the outcome of a failed refresh call, for an authority that makes the call with an `APIClient`.
    ///
    /// Only two responses end the session: a 401 that does not refuse the API key, and a 400 with `invalid_grant`; a 5xx
    /// with `invalid_grant` does the second time. All other failures leave it: no network, a server error, a response that
    /// is not JSON, or app settings that the server does not accept. If the request may have reached the server, and no
    /// response came that can be read, its outcome is unknown.
    ///
    /// The outcome of a response without a usable token is ``doubtful(_:)``. Any other error that is not an
    /// ``AuthSessionError``, such as a cancellation, leaves the outcome unknown.
    ///
    /// - Parameter error: The error of the call; a `TokenFormatError` if the response holds no usable token.
    public init(failure error: any Error) {
        guard let error = error as? APIError else {
            self.init(unusable: error)
            return
        }
        let failure: Failure =
            switch error.code {
            case .unauthorized where error.refusesTheApp: .appRefused
            case .unauthorized: .ended
            case .refused where error.status == 400 && error.serverCode == .invalidGrant: .ended
            case .unreachable: error.mayHaveReachedServer ? .noResponse : .notProcessed
            case .malformedResponse: .noResponse
            case .serverFailed where error.serverCode == .invalidGrant: .failedAndEnded
            case .serverFailed: .serverFailed(status: error.status)
            // An intermediary may have sent this.
            case .refused where error.status.map(HTTPFailure.isRetryable) == true: .serverFailed(status: error.status)
            case .rateLimited, .redirected: .notProcessed
            default: .appRefused
            }
        self.init(failure) { AuthSessionError($0, underlying: error) }
    }

    /// Creates the outcome of an error that is not a failed call, such as an unusable response.
    private init(unusable error: any Error) {
        switch error {
        case let error as AuthSessionError where error.code != .invalidResponse:
            self = .failed(error)
        case let error as AuthSessionError:
            // A server that sends a response without a usable token has replaced the old one.
            self = .doubtful(error)
        case is TokenFormatError:
            self = .doubtful(AuthSessionError(.invalidResponse, underlying: error))
        default:
            // The request may have been sent, and the tokens may have been replaced.
            self = .unknown(AuthSessionError(.refreshOutcomeUnknown, underlying: error))
        }
    }
}

extension SessionValidation {
    /// Creates the result of a failed validation call that was made with an `APIClient`.
    ///
    /// A 401 rejects the session. With the code `token_expired`, it rejects the access token only.
    ///
    /// - Parameter error: The error of the call.
    public init(failure error: any Error) {
        guard let error = error as? APIError, !error.refusesTheApp else {
            self = .unknown
            return
        }
        guard error.refusesTheUser else {
            self = .unavailable(AuthSessionError(.unreachable, underlying: error))
            return
        }
        // The token has expired by the server's clock. It may still be exchanged for a new one.
        let endsSession = error.serverCode != .tokenExpired
        self = .rejected(AuthSessionError(.sessionEnded, underlying: error), endsSession: endsSession)
    }
}

extension RevocationResponse {
    /// Creates the result of a failed call that ends a session, made with an `APIClient`.
    ///
    /// - Parameter error: The error of the call.
    public init(failure error: any Error) {
        switch error as? APIError {
        case let error? where error.code == .unauthorized: self = .unauthorized
        case let error? where error.code == .refused && !error.isRetryable: self = .refused(error.serverCode)
        default: self = .failed
        }
    }
}

extension APIError {
    /// Whether the server refused the app for a missing or wrong API key, and has said nothing about the user.
    var refusesTheApp: Bool { serverCode == .invalidAPIKey }

    /// Whether the server refused the user's tokens.
    package var refusesTheUser: Bool { code == .unauthorized && !refusesTheApp }
}
