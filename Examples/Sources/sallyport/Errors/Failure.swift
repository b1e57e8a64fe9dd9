import APIClient
import AuthCore
import AuthSession
import OpenIDConnect
import SecureStore

/// A failure for the user: a sentence that says what happened, and one that says what to do.
struct Failure: Error {
    let status: ExitStatus
    let message: String
    let advice: String

    init(_ status: ExitStatus, _ message: String, _ advice: String) {
        self.status = status
        self.message = message
        self.advice = advice
    }

    var sentences: String { "\(message)\n\(advice)" }

    /// Creates the failure for an error, or returns nil for an error of the argument parser.
    init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as AuthSessionError: self.init(error)
        case let error as SecureStoreError: self.init(error)
        case let error as APIError: self.init(error)
        case let error as DiscoveryError: self.init(error)
        case let error as AuthorizationError: self.init(error)
        case let error as TokenEndpointError: self.init(error)
        case let error as UserInfoError: self.init(error)
        case let error as DeviceAuthorizationError: self.init(error)
        case let error as RegistrationError: self.init(error)
        case let error as SessionRecordError: self.init(error)
        case let error as JWTDecodingError:
            self.init(.failed, error.description, "Check that the token is complete, without other text.")
        case let error as BaseURLError:
            self.init(.wrongArguments, error.description, "Use an address such as https://api.example.com.")
        case let error as TokenFormatError:
            self.init(.failed, error.description, "Check the input.")
        case is CancellationError:
            self.init(.cancelled, "Cancelled.", "Nothing was changed.")
        default:
            return nil
        }
    }

    private init(_ error: AuthSessionError) {
        switch error.code {
        case .notSignedIn:
            if let record = error.underlying as? SessionRecordError {
                self.init(record)
            } else {
                self.init(.notSignedIn, error.description, "Sign in with: \(Self.signIn)")
            }
        case .sessionEnded:
            let reason = error.serverCode.map { " (\($0.rawValue))" } ?? ""
            self.init(.sessionEnded, "The server ended the session\(reason).", "Sign in again with: \(Self.signIn)")
        case .storeUnavailable:
            self =
                (error.underlying as? SecureStoreError).map { Failure($0) }
                ?? Failure(.storeUnavailable, error.description, "Try again.")
        case .unreachable, .refreshOutcomeUnknown:
            self.init(.unreachable, error.description, "The session stays as it is; try again later.")
        case .busy:
            self.init(
                .unreachable,
                error.description,
                "The session stays as it is; if that process is suspended, resume or end it, otherwise try again later."
            )
        case .noRefreshToken:
            self.init(
                .failed,
                error.description,
                "The session lasts as long as its access token. For a longer session, sign in with the scope offline_access."
            )
        case .invalidResponse where error.underlying is TokenEndpointError:
            self.init(.invalidResponse, error.description, "Report this to the provider's operator.")
        case .signInRefused where error.underlying is TokenEndpointError:
            let reason = error.serverCode?.rawValue ?? "no reason given"
            self.init(
                .failed,
                "The provider refused the sign-in (\(reason)).\(Self.said(error.serverMessage))",
                "Check the client ID and the client authentication."
            )
        case .signInRefused:
            self.init(.failed, error.description, Self.signInAdvice(error))
        case .invalidResponse:
            self.init(
                .invalidResponse,
                error.description,
                "Check the backend's address, or report this to its operator."
            )
        case .refreshFailed where error.underlying is TokenEndpointError:
            self.init(
                .failed,
                error.description + Self.said(error.serverMessage),
                "Check the client ID and the client authentication."
            )
        case .refreshRefused:
            self.init(.failed, error.description, "Try again later, or sign in again with: \(Self.signIn)")
        case .refreshFailed:
            self.init(.failed, error.description, "Check the API key and the backend's address.")
        case .superseded:
            self.init(.failed, error.description, "To see the current session, run: sallyport status")
        case .tooManyRefreshes:
            self.init(.unreachable, error.description, "The session stays as it is; try again in a minute.")
        case .lifetimeTooShort:
            self.init(.failed, error.description, "Request a shorter lifetime.")
        default:
            self.init(.failed, error.description, "Check the arguments.")
        }
    }

    /// Returns the server's message, quoted, to append to the sentence with the error code.
    static func said(_ message: String?) -> String { message.map { " It says: “\($0)”." } ?? "" }

    /// The command for signing in.
    static let signIn = "sallyport login --backend URL --email ADDRESS, or login --issuer URL --client-id ID"

    private static func signInAdvice(_ error: AuthSessionError) -> String {
        let answer = error.underlying as? APIError
        if let wait = answer?.retryAfter { return "Try again in \(wait.components.seconds) seconds." }
        return switch error.serverCode?.rawValue {
        case "invalid_credentials": "Check the address and the password."
        case "nonce_mismatch", "invalid_identity_token", "token_expired": "Start the sign-in again."
        case "invalid_api_key": "Check the API key."
        default: "Check the input, or ask the server's operator."
        }
    }

    private init(_ error: SecureStoreError) {
        let advice =
            switch error.code {
            case .locked: "Its items are still there. To see how to unlock it, run: sallyport doctor"
            case .noSessionBus, .noProvider, .noCollection, .timedOut, .denied, .sandboxed:
                "Nothing was changed. To see what to do, run: sallyport doctor"
            case .wrongPassphrase: "Use the file's own passphrase; the session is still in the file."
            case .invalidPassphrase: "Set SALLYPORT_PASSPHRASE to 1 to 4096 bytes."
            case .invalidName: "Use letters, digits, dots, hyphens and underscores."
            case .damaged, .truncated, .newerFormat: "To see what to do, run: sallyport doctor"
            case .full: "Free some space, and try again."
            default: "Try again. If it fails again, run: sallyport doctor"
            }
        self.init(error.isRetryable ? .storeUnavailable : .wrongArguments, error.description, advice)
    }

    private init(_ error: APIError) {
        switch error.code {
        case .unreachable, .timedOut:
            self.init(.unreachable, error.description, "The session stays as it is; try again later.")
        case .malformedResponse:
            self.init(
                .invalidResponse,
                error.description,
                "Check the address, or report this to the server's operator."
            )
        default:
            self.init(.failed, error.description + Self.said(error.serverMessage), "Check the request.")
        }
    }

    private init(_ error: SessionRecordError) {
        self.init(
            .failed,
            error.description,
            error.code == .otherBackend
                ? "Sign in again, or use another --profile."
                : "Sign in again. The old record is kept as session.unreadable until you sign out."
        )
    }
}
