// SPDX-License-Identifier: Apache-2.0

import APIClient
import OpenIDConnect

/// The failures for a provider's errors.
extension Failure {
    init(_ error: DiscoveryError) {
        let advice =
            switch error.code {
            case .unreachable:
                Self.connectionAdvice(error, else: "Check the issuer's address, or try again later.")
            case .resourceMismatch: "Use the API's address exactly as its operator writes it."
            case .issuerMismatch: "Use the issuer exactly as the provider writes it, including a slash at its end."
            default: "Check the issuer's address, or report this to the provider's operator."
            }
        self.init(error.code == .unreachable ? .unreachable : .invalidResponse, error.description, advice)
    }

    init(_ error: AuthorizationError) {
        switch error.code {
        case .cancelled:
            self.init(.cancelled, error.description + Self.said(error.oauthDescription), "Nothing was changed.")
        case .refused:
            let said = Self.said(error.oauthDescription)
            self.init(.failed, error.description + said, Self.advice(forOAuthCode: error.oauthCode?.rawValue))
        case .listenerFailed:
            self.init(.failed, error.description, "Free the port, or choose another one with --redirect-port.")
        case .timedOut:
            self.init(
                .failed,
                error.description,
                """
                If the browser shows an error, check the client ID, and that the provider accepts the redirect URI \
                http://127.0.0.1/callback, unless --redirect-host or --redirect-path changes it. If the provider \
                compares ports, use --redirect-port.
                """
            )
        case .noBrowser: self.init(.failed, error.description, "Use --no-browser.")
        case .invalidParameters: self.init(.wrongArguments, error.description, "Check the arguments.")
        case .pushedAuthorizationFailed:
            if let underlying = error.underlying as? TokenEndpointError {
                self.init(underlying)
            } else {
                self.init(.failed, "The provider doesn't support pushed authorization requests.", "Try without --par.")
            }
        case .stateMismatch:
            self.init(
                .invalidResponse,
                error.description,
                "If the browser shows an error, check the requested scopes. Otherwise start the sign-in again."
            )
        case .issuerMismatch:
            self.init(
                .invalidResponse,
                error.description,
                "If you gave the endpoints, add --issuer with the server's issuer. Otherwise start the sign-in again."
            )
        default: self.init(.invalidResponse, error.description, "Start the sign-in again.")
        }
    }

    /// Creates the failure of a sign-in that needs a redirect path of the server's own.
    ///
    /// `--issuer` comes last: whoever takes it from the API's metadata has named no server.
    init(_ error: AuthorizationError, ownPath path: String) {
        self.init(
            .failed,
            error.description,
            """
            Register a new client with --client-id "". Or register the redirect URI http://127.0.0.1\(path) for yours, and \
            pass --redirect-path \(path). If you know the server's issuer from elsewhere than this API, pass \
            --issuer beside --resource.
            """
        )
    }

    init(_ error: TokenEndpointError) {
        let said = Self.said(error.oauthDescription)
        switch error.code {
        case .unreachable, .serverFailed, .rateLimited:
            self.init(.unreachable, error.description, Self.connectionAdvice(error, else: "Try again later."))
        case .refused:
            self.init(.failed, error.description + said, Self.advice(forOAuthCode: error.oauthCode?.rawValue))
        default:
            self.init(.invalidResponse, error.description, Self.tokenAdvice(error))
        }
    }

    init(_ error: IDTokenError) {
        guard error.code != .keysUnavailable else {
            self.init(.unreachable, error.description, "The session stays as it is; try again later.")
            return
        }
        self.init(.invalidResponse, error.description, Self.tokenAdvice(error))
    }

    init(_ error: UserInfoError) {
        switch error.code {
        case .unreachable, .serverFailed:
            self.init(.unreachable, error.description, "The session stays as it is; try again later.")
        case .unsupported:
            self.init(.failed, error.description, "To see the signed-in user, run: sallyport status")
        case .unauthorized: self.init(.failed, error.description, "Sign in again.")
        case .otherAudience:
            self.init(.failed, error.description, "To see the signed-in user, run: sallyport status")
        case .refused where error.oauthCode?.rawValue == "insufficient_scope":
            self.init(.failed, error.description, "Sign in with the scopes openid and profile.")
        case .refused: self.init(.failed, error.description, "Report this to the provider's operator.")
        default:
            self.init(.invalidResponse, error.description, "Report this to the provider's operator.")
        }
    }

    init(_ error: DeviceAuthorizationError) {
        let message = error.description + Self.said((error.underlying as? TokenEndpointError)?.oauthDescription)
        switch error.code {
        case .cancelled: self.init(.cancelled, message, "Nothing was changed.")
        case .unreachable: self.init(.unreachable, error.description, "Try again later.")
        case .expired: self.init(.failed, message, "Start the sign-in again.")
        case .unsupported: self.init(.failed, error.description, "Try without --device.")
        case .refused: self.init(.failed, message, "Check the client ID: not every client may use --device.")
        default: self.init(.invalidResponse, error.description, "Report this to the provider's operator.")
        }
    }

    init(_ error: RegistrationError) {
        switch error.code {
        case .unreachable: self.init(.unreachable, error.description, "Try again later.")
        case .malformedResponse:
            self.init(.invalidResponse, error.description, "Report this to the provider's operator.")
        default:
            let said = Self.said((error.underlying as? TokenEndpointError)?.oauthDescription)
            self.init(.failed, error.description + said, "Ask the provider's operator for a client ID.")
        }
    }
}
