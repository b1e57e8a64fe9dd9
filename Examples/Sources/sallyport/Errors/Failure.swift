// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import SecureStore
import Synchronization

/// A failure for the user: a sentence that says what happened, and one that says what to do, if it is not empty.
struct Failure: Error, CustomStringConvertible {
    let status: ExitStatus
    let message: String
    let advice: String

    init(_ status: ExitStatus, _ message: String, _ advice: String) {
        self.status = status
        self.message = message
        self.advice = advice
    }

    var description: String { message }
    var sentences: String { advice.isEmpty ? message : "\(message)\n\(advice)" }

    /// Creates the failure for an error, or returns nil for an error of the argument parser.
    init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as AuthSessionError:
            // The failure of a refresh process, which is complete.
            self = (error.underlying as? Failure) ?? Self.ofClient(error.underlying) ?? Failure(error)
        case let error as SecureStoreError: self.init(error)
        case let error as APIError: self.init(error)
        case let error as OpenIDError:
            guard let failure = Failure(error) else { return nil }
            self = failure
        case let error as IDTokenError: self.init(error)
        case let error as SessionRecordError: self.init(error)
        case let error as JWTDecodingError:
            self.init(.failed, error.description, "Check that the token is complete, without other text.")
        case let error as BaseURLError:
            self.init(.wrongArguments, error.description, "Use an address such as https://api.example.com.")
        case let error as TokenFormatError:
            self.init(.failed, error.description, "Check the input.")
        case is CancellationError:
            self.init(.cancelled, "Cancelled.", "To see whether the session stays, run: sallyport status")
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
        case .sessionEnded where OpenSessions.hasLostResponse:
            let code = error.serverCode.map { " (\($0.rawValue))" } ?? ""
            self.init(
                .sessionEnded,
                "The response to a refresh was lost, and the server no longer accepts the old token\(code).",
                "Sign in again with: \(Self.signIn)"
            )
        case .sessionEnded:
            let message = error.serverCode.map { "The server ended the session (\($0.rawValue))." }
            self.init(.sessionEnded, message ?? error.description, "Sign in again with: \(Self.signIn)")
        case .storeUnavailable:
            self =
                (error.underlying as? SecureStoreError).map { Failure($0) }
                ?? Failure(.storeUnavailable, error.description, "Try again.")
        case .unreachable, .refreshOutcomeUnknown:
            self.init(
                .unreachable,
                error.description,
                Self.connectionAdvice(error.underlying, else: "The session stays as it is; try again later.")
            )
        case .busy:
            self.init(
                .unreachable,
                SessionLocation.last.withLock { $0 }.map { LockHolder.sentence(of: $0) } ?? error.description,
                "The session stays. If that process is suspended, resume or end it; otherwise try again later."
            )
        case .noRefreshToken:
            self.init(
                .failed,
                error.description,
                """
                The session lasts as long as its access token. For a longer session, the provider must allow refresh \
                tokens for this client.
                """
            )
        case .invalidResponse where error.underlying is OpenIDError:
            self.init(.invalidResponse, error.description, Self.tokenAdvice(error.underlying))
        case .signInRefused where error.underlying is OpenIDError:
            let reason = error.serverCode?.rawValue ?? "no reason given"
            self.init(
                .failed,
                "The provider refused the sign-in (\(reason)).\(Self.said(error.serverMessage))",
                Self.advice(forOAuthCode: error.serverCode?.rawValue)
            )
        case .signInRefused where error.serverCode?.rawValue == "role_conflict":
            // The server's sentence is for the user and says what to do.
            self.init(.failed, RefusalSentence.text(for: error) ?? error.description, "")
        case .signInRefused where error.underlying == nil:
            // The backend's redirect has a code alone.
            let code = error.serverCode?.rawValue ?? "no reason given"
            self.init(.failed, "The server refused the sign-in (\(code)).", Self.signInAdvice(error))
        case .signInCancelled: self.init(.cancelled, error.description, "Nothing was changed.")
        case .stateMismatch, .redirectMismatch, .noPendingSignIn:
            self.init(.invalidResponse, error.description, "Start the sign-in again.")
        case .signInRefused:
            let message = RefusalSentence.text(for: error) ?? error.description + Self.said(error.serverMessage)
            self.init(.failed, message, Self.signInAdvice(error))
        case .invalidResponse:
            self.init(
                .invalidResponse,
                error.description,
                "Check the backend's address, or report this to its operator."
            )
        case .refreshFailed where error.underlying is OpenIDError:
            self.init(
                .failed,
                "The provider refused the refresh (\(error.serverCode?.rawValue ?? "no reason given")), "
                    + "and the session stays.\(Self.said(error.serverMessage))",
                "Sign in again with the client's current --client-id and --client-secret-file, --private-key or "
                    + "--workload-token."
            )
        case .refreshRefused:
            self.init(
                .failed,
                error.description + Self.said(error.serverMessage),
                "If it goes on, sign in again with: \(Self.signIn)"
            )
        case .refreshFailed:
            self.init(
                .failed,
                error.description,
                "Sign in again, with SALLYPORT_API_KEY set if the backend requires an API key."
            )
        case .userMismatch:
            self.init(
                .failed,
                error.description,
                "Sign in as the session's user, or without --step-up as another one."
            )
        case .superseded:
            self.init(.failed, error.description, "To see the current session, run: sallyport status")
        case .tooManyRefreshes:
            self.init(.unreachable, error.description, "The session stays as it is; try again in a minute.")
        case .lifetimeTooShort:
            self.init(.failed, error.description, "If the command has the option --min-ttl, use a smaller one.")
        case .expiredOnArrival:
            self.init(.failed, error.description, "The session stays. The server's operator can make its tokens last.")
        case .noIDToken:
            self.init(.failed, error.description, "Sign in at an OpenID provider: others issue no ID token.")
        default:
            self.init(.failed, error.description, "Check the arguments.")
        }
    }

    /// Returns the server's message, quoted, to append to the sentence with the error code.
    static func said(_ message: String?) -> String { message.map { " The server says: “\($0)”." } ?? "" }

    /// Returns the advice for an OAuth error code (RFC 6749, 4.1.2.1 and 5.2; OpenID Connect Core, 3.1.2.6).
    static func advice(forOAuthCode code: String?) -> String {
        switch code {
        case "invalid_grant": "Start the sign-in again."
        case "server_error", "temporarily_unavailable": "Try again later."
        case "login_required", "consent_required", "interaction_required", "account_selection_required":
            "Start the sign-in again without --prompt none."
        case "unmet_authentication_requirements":
            "Ask the provider's operator how this user can meet --acr-values and --max-age."
        case "invalid_scope": "Check --scope: scopes are separated by spaces alone."
        case "invalid_target": "Check --audience and --resource."
        case "invalid_client":
            """
            Check --client-id, and --client-secret-file with --client-auth, --private-key with --assertion-algorithm \
            and --assertion-audience, or --workload-token.
            """
        default: "Check the client ID, the client authentication and the requested scopes."
        }
    }

    /// Returns the advice for a token response or an ID token that was rejected.
    static func tokenAdvice(_ error: (any Error)?) -> String {
        switch ((error as? IDTokenError) ?? (error as? OpenIDError)?.underlying as? IDTokenError)?.code {
        case .authenticationTooOld: "Sign in with --prompt login."
        case .expired, .notYetValid, .issuedInTheFuture: "To compare the clocks, run: sallyport doctor --issuer URL"
        default: "Report this to the provider's operator."
        }
    }

    /// Returns the advice for a server that can't be reached.
    ///
    /// - Parameters:
    ///   - error: The error, or one that it underlies.
    ///   - otherwise: The advice for another reason than an untrusted certificate, without a proxy.
    /// - Returns: The advice.
    static func connectionAdvice(_ error: (any Error)?, else otherwise: String) -> String {
        let api = (error as? APIError) ?? (error as? OpenIDError)?.underlying as? APIError
        let transport = (error as? TransportError) ?? api?.underlying as? TransportError
        let proxy = transport?.proxy
        guard transport?.code == .insecureConnection else {
            let variables = "HTTPS_PROXY, HTTP_PROXY or ALL_PROXY"
            let advice = proxy.map { " Check the proxy of \(variables) (\($0)), or name the server in NO_PROXY." }
            return otherwise + (advice ?? "")
        }
        let isReplaced = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]?.isEmpty == false
        return "Check the server's certificate. For a private certificate authority, use --ca-file."
            + (proxy.map { " The proxy \($0) may have one of its own." } ?? "")
            + (isReplaced ? " SSL_CERT_FILE replaces the system's certificate authorities." : "")
    }

    /// The failure without the proxy's address, for a report.
    func withoutProxy(of error: any Error) -> Failure {
        let api = (error as? APIError) ?? (error as? OpenIDError)?.underlying as? APIError
        guard let proxy = (api?.underlying as? TransportError)?.proxy else { return self }
        let hide = { (text: String) in
            text.replacing(" (proxy \(proxy))", with: "").replacing(" (\(proxy))", with: "")
                .replacing("proxy \(proxy)", with: "proxy")
        }
        return Failure(status, hide(message), hide(advice))
    }

    /// The command for signing in.
    static let signIn =
        "sallyport login NAME --client-id ID (at an app's own backend: sallyport login URL --email ADDRESS)"

    private static func signInAdvice(_ error: AuthSessionError) -> String {
        let answer = error.underlying as? APIError
        if let wait = answer?.retryAfter { return "Try again in \(wait.components.seconds) seconds." }
        return switch error.serverCode?.rawValue {
        case "invalid_credentials": "Check the e-mail address and the password."
        case "nonce_mismatch", "invalid_identity_token", "token_expired", "invalid_grant": "Start the sign-in again."
        case "rate_limited": "Try again later."
        case "invalid_api_key": "Sign in again with SALLYPORT_API_KEY set to the app's API key."
        default: "Check --backend, or ask the server's operator."
        }
    }

    private init(_ error: SecureStoreError) {
        let folder = FolderCheckup.problem(in: error.detail).map { problem in
            problem.advice + (problem.command.map { " Run: \($0)" } ?? "")
        }
        let advice =
            switch error.code {
            case _ where folder != nil: folder ?? ""
            case .locked:
                "Its items are still there. To see how to unlock it, run sallyport doctor with the same --profile."
            case .noSessionBus, .noProvider, .noCollection:
                "Nothing was changed. To see what to do, run sallyport doctor with the same --profile and --store. "
                    + "To sign in without a keyring, use --store file."
            case .timedOut, .denied, .sandboxed:
                "Nothing was changed. To see what to do, run sallyport doctor with the same --profile and --store."
            case .wrongPassphrase:
                "Use the file's own passphrase or key; the session is still in the file. "
                    + "If it is lost, run sallyport doctor."
            case .invalidPassphrase:
                "Set SALLYPORT_PASSPHRASE to 1 to 4096 bytes, or make a key: head -c 32 /dev/urandom > FILE."
            case .invalidName: "Use 1 to 128 letters, digits, dots, hyphens and underscores in --profile."
            case .damaged, .newerFormat:
                "To see what to do, run sallyport doctor with the same --profile and --store."
            case .full: "Free some space, and try again."
            default: "Try again. If it fails again, run sallyport doctor with the same --profile and --store."
            }
        self.init(error.isUnavailable ? .storeUnavailable : .wrongArguments, error.description, advice)
    }

    private init(_ error: APIError) {
        switch error.code {
        case .unreachable, .timedOut:
            self.init(
                .unreachable,
                error.description,
                Self.connectionAdvice(error, else: "The session stays as it is; try again later.")
            )
        case .malformedResponse:
            self.init(
                .invalidResponse,
                error.description,
                "Check the address, or report this to the server's operator."
            )
        default:
            self.init(
                .failed,
                error.description + Self.said(error.serverMessage),
                "Check the method, the path and the header fields."
            )
        }
    }

    private init(_ error: SessionRecordError) {
        self.init(
            .failed,
            error.description,
            error.code == .otherBackend
                ? "Sign in again, or use another --profile."
                : "Sign out, which removes it, and sign in again."
        )
    }
}
