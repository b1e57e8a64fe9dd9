import APIClient
import OpenIDConnect

/// What a provider's faults mean for the person.
extension Failure {
    init(_ error: DiscoveryError) {
        let advice =
            error.code == .issuerMismatch
            ? "Give the issuer byte for byte as the provider writes it; mind a slash at its end."
            : "Check the issuer's address."
        self.init(error.code == .unreachable ? .unreachable : .unsafeAnswer, error.description, advice)
    }

    init(_ error: AuthorizationError) {
        switch error.code {
        case .cancelled:
            self.init(.cancelled, error.description + Self.said(error.oauthDescription), "Nothing was changed.")
        case .refused:
            let said = Self.said(error.oauthDescription)
            self.init(.failed, error.description + said, "Check the client ID and what is asked for, and try again.")
        case .listenerFailed: self.init(.failed, error.description, "Free the port, or choose another one.")
        case .timedOut:
            self.init(
                .failed,
                error.description,
                """
                Where its page shows an error, check the client ID, and that the provider knows \
                http://127.0.0.1/callback as a redirect address, with --redirect-port where it compares ports.
                """
            )
        case .noBrowser: self.init(.failed, error.description, "Use --no-browser.")
        case .invalidParameters: self.init(.wrongArguments, error.description, "Check the arguments.")
        case .pushFailed:
            if let underlying = error.underlying as? TokenEndpointError {
                self.init(underlying)
            } else {
                self.init(.failed, "The provider takes no pushed requests.", "Leave --par out.")
            }
        case .stateMismatch:
            self.init(
                .unsafeAnswer,
                error.description,
                "Where the browser shows an error, check what is asked for; else start again from the beginning."
            )
        default: self.init(.unsafeAnswer, error.description, "Start the sign-in again from the beginning.")
        }
    }

    init(_ error: TokenEndpointError) {
        let said = Self.said(error.oauthDescription)
        switch error.code {
        case .unreachable, .serverFailed, .rateLimited:
            self.init(.unreachable, error.description, "Try again later.")
        case .refused:
            self.init(.failed, error.description + said, "Check the client ID, and how the client authenticates.")
        default:
            self.init(.unsafeAnswer, error.description, "Tell who runs the provider.")
        }
    }

    init(_ error: UserInfoError) {
        switch error.code {
        case .unreachable, .serverFailed:
            self.init(.unreachable, error.description, "The session stays as it is; try again later.")
        case .notOffered, .unauthorized, .refused:
            self.init(.failed, error.description, "Ask for the scopes openid and profile at the sign-in.")
        default:
            self.init(.unsafeAnswer, error.description, "Tell who runs the provider.")
        }
    }

    init(_ error: DeviceAuthorizationError) {
        let what = error.description + Self.said((error.underlying as? TokenEndpointError)?.oauthDescription)
        switch error.code {
        case .cancelled: self.init(.cancelled, what, "Nothing was changed.")
        case .unreachable: self.init(.unreachable, error.description, "Try again later.")
        case .expired: self.init(.failed, what, "Start the sign-in again.")
        case .notOffered: self.init(.failed, error.description, "Leave --device out.")
        case .refused: self.init(.failed, what, "Check the client ID: not every client may use --device.")
        default: self.init(.unsafeAnswer, error.description, "Tell who runs the provider.")
        }
    }

    init(_ error: RegistrationError) {
        switch error.code {
        case .unreachable: self.init(.unreachable, error.description, "Try again later.")
        case .unreadable: self.init(.unsafeAnswer, error.description, "Tell who runs the provider.")
        default:
            let said = Self.said((error.underlying as? TokenEndpointError)?.oauthDescription)
            self.init(.failed, error.description + said, "Ask who runs the provider for a client ID.")
        }
    }
}
