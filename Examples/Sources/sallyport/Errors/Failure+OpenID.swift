// SPDX-License-Identifier: Apache-2.0

import APIClient
import OpenIDConnect
import TerminalOutput

/// The failures for a provider's errors.
extension Failure {
    /// Creates the failure for an error; nil if a token could not be revoked.
    init?(_ error: OpenIDError) {
        switch error.operation {
        case .discovery: self = Self.ofDiscovery(error)
        case .registration: self = Self.ofRegistration(error)
        case .authorization: self = Self.ofAuthorization(error)
        case .pushedAuthorization where [.unsupported, .invalidRequest].contains(error.code):
            self.init(.failed, "The provider doesn't support pushed authorization requests.", "Try without --par.")
        case .pushedAuthorization, .token: self = Self.ofTokenEndpoint(error)
        case .deviceAuthorization: self = Self.ofDeviceAuthorization(error)
        case .clientAssertion:
            guard let failure = Self.ofClient(error) else { return nil }
            self = failure
        case .userInfo: self = Self.ofUserInfo(error)
        case .revocation: return nil
        }
    }

    private static func ofDiscovery(_ error: OpenIDError) -> Failure {
        let isAway = error.isRetryable || error.reason == .redirected
        let advice =
            switch error.reason {
            case _ where isAway: connectionAdvice(error, else: "Check the issuer's address, or try again later.")
            case .issuerMismatch:
                error.otherAddress.map { "If that is the provider that you mean, use --issuer \(ShellWord.quoted($0))" }
                    ?? "Use the issuer exactly as the provider writes it, including a slash at its end."
            default: "Check the issuer's address, or report this to the provider's operator."
            }
        return Failure(isAway ? .unreachable : .invalidResponse, error.description, advice)
    }

    /// Creates the failure of an API that names no usable authorization server.
    ///
    /// - Parameters:
    ///   - error: The error of the API's metadata.
    ///   - api: The address that the user typed.
    init(_ error: OpenIDError, ofAPI api: String) {
        let plain = Self.ofDiscovery(error)
        let status = error.status.map { " (status \($0))" } ?? ""
        let elsewhere = "If you know the server's issuer, pass --issuer beside --resource."
        switch (error.reason, error.otherAddress) {
        case (.resourceMismatch?, let other?):
            let message = "The metadata of the API at \(api) are about another API: \(other)."
            self.init(
                plain.status,
                message,
                "If that is the API that you mean, use --resource \(ShellWord.quoted(other))"
            )
        case (nil, _) where error.code == .unreachable && error.underlying == nil:
            let message = "The API at \(api) names no authorization server\(status)."
            self.init(plain.status, message, "Check the address of --resource. \(elsewhere)")
        case _ where plain.status == .unreachable:
            let message = "The authorization server of the API at \(api) can't be found. \(error.description)"
            self.init(
                plain.status,
                message,
                Self.connectionAdvice(error, else: "Check --resource, or try again later.")
            )
        default:
            let message = "The metadata of the API at \(api) can't be used. \(error.description)"
            self.init(plain.status, message, "Report this to the API's operator. \(elsewhere)")
        }
    }

    /// Creates the failure of the authorization server that an API names.
    ///
    /// - Parameters:
    ///   - error: The error of the server's metadata.
    ///   - issuer: The server's issuer in the API's metadata. Untrusted.
    ///   - api: The address that the user typed.
    init(_ error: OpenIDError, ofServer issuer: String, namedBy api: String) {
        let plain = Self.ofDiscovery(error)
        let server = "The API at \(api) names the authorization server \(Terminal.shown(issuer) ?? "")"
        guard error.reason == .issuerMismatch, let other = error.otherAddress else {
            let advice =
                plain.status == .unreachable
                ? Self.connectionAdvice(error, else: "Try again later, or report this to the API's operator.")
                : "Report this to the API's operator."
            self.init(plain.status, "\(server). \(error.description)", advice)
            return
        }
        self.init(
            plain.status,
            "\(server), whose metadata name another issuer: \(other).",
            """
            Report this to the API's operator. If you know from another source that the second address is right, pass \
            --issuer \(ShellWord.quoted(other)) beside --resource \(ShellWord.quoted(api))
            """
        )
    }

    private static func ofAuthorization(_ error: OpenIDError) -> Failure {
        let message = error.description
        switch error.code {
        case .cancelled: return Failure(.cancelled, message + said(error.serverMessage), "Nothing was changed.")
        case .refused:
            let advice = advice(forOAuthCode: error.oauthCode?.rawValue)
            return Failure(.failed, message + said(error.serverMessage), advice)
        case .browserUnavailable where error.reason == .noBrowser:
            return Failure(.failed, message, "Use --no-browser, --device or --paste.")
        case .browserUnavailable:
            return Failure(.failed, message, "Free the port, or choose another one with --redirect-port.")
        case .timedOut:
            return Failure(
                .failed,
                message,
                """
                If the browser shows an error, check the client ID, and that the provider accepts the redirect URI \
                http://127.0.0.1/callback, unless --redirect-host or --redirect-path changes it. If the provider \
                compares ports, use --redirect-port.
                """
            )
        case .invalidRequest where error.reason == nil || error.reason == .scopeSeparator:
            return Failure(.wrongArguments, message, "Check the arguments.")
        default: return Failure(.invalidResponse, message, adviceForRedirect(error.reason))
        }
    }

    private static func adviceForRedirect(_ reason: OpenIDError.Reason?) -> String {
        switch reason {
        case .stateMismatch:
            "If the browser shows an error, check the requested scopes. Otherwise start the sign-in again."
        case .issuerMismatch:
            "If you gave the endpoints, add --issuer with the server's issuer. Otherwise start the sign-in again."
        default: "Start the sign-in again."
        }
    }

    /// Creates the failure of a sign-in that needs a redirect path of the server's own.
    ///
    /// `--issuer` comes last: whoever takes it from the API's metadata has named no server.
    init(_ error: OpenIDError, ownPath path: String) {
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

    private static func ofTokenEndpoint(_ error: OpenIDError) -> Failure {
        switch error.code {
        case .unreachable, .serverFailed, .rateLimited:
            Failure(.unreachable, error.description, connectionAdvice(error, else: "Try again later."))
        case .refused:
            Failure(
                .failed,
                error.description + said(error.serverMessage),
                advice(forOAuthCode: error.oauthCode?.rawValue)
            )
        default: Failure(.invalidResponse, error.description, tokenAdvice(error))
        }
    }

    init(_ error: IDTokenError) {
        guard error.code != .keysUnavailable else {
            self.init(.unreachable, error.description, "The session stays as it is; try again later.")
            return
        }
        self.init(.invalidResponse, error.description, Self.tokenAdvice(error))
    }

    private static func ofUserInfo(_ error: OpenIDError) -> Failure {
        let message = error.description
        return switch (error.code, error.reason) {
        case (.unreachable, _), (.serverFailed, _), (.rateLimited, _):
            Failure(
                .unreachable,
                message,
                connectionAdvice(error, else: "The session stays as it is; try again later.")
            )
        case (.unsupported, _), (_, .otherAudience?):
            Failure(.failed, message, "To see the signed-in user, run: sallyport status")
        case (_, .unauthorized?): Failure(.failed, message, "Sign in again.")
        case (.refused, _) where error.oauthCode?.rawValue == "insufficient_scope":
            Failure(.failed, message, "Sign in with the scopes openid and profile.")
        case (.refused, _): Failure(.failed, message, "Report this to the provider's operator.")
        default: Failure(.invalidResponse, message, "Report this to the provider's operator.")
        }
    }

    private static func ofDeviceAuthorization(_ error: OpenIDError) -> Failure {
        let message = error.description + said(error.serverMessage)
        return switch error.code {
        case .cancelled: Failure(.cancelled, message, "Nothing was changed.")
        case .unreachable, .serverFailed, .rateLimited:
            Failure(.unreachable, error.description, connectionAdvice(error, else: "Try again later."))
        case .invalidResponse where error.reason == .redirected:
            Failure(.unreachable, error.description, "Try again later.")
        case .timedOut: Failure(.failed, message, "Start the sign-in again.")
        case .unsupported: Failure(.failed, error.description, "Try without --device.")
        case .refused: Failure(.failed, message, "Check the client ID: not every client may use --device.")
        default: Failure(.invalidResponse, error.description, "Report this to the provider's operator.")
        }
    }

    private static func ofRegistration(_ error: OpenIDError) -> Failure {
        switch error.code {
        case .unreachable, .serverFailed, .rateLimited:
            Failure(.unreachable, error.description, connectionAdvice(error, else: "Try again later."))
        case .malformedResponse:
            Failure(.invalidResponse, error.description, "Report this to the provider's operator.")
        case .invalidRequest: Failure(.wrongArguments, error.description, "Check --client-id.")
        case .unsupported where error.reason == .clientIDMetadataDocumentUnsupported:
            Failure(
                .failed,
                error.description,
                "Register a client with --client-id \"\", or ask the provider's operator for a client ID."
            )
        default:
            Failure(
                .failed,
                error.description + said(error.serverMessage),
                "Ask the provider's operator for a client ID."
            )
        }
    }
}
