// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error that kept an authorization request from yielding a code.
public struct AuthorizationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, CaseIterable {
            case malformed
            case stateMismatch
            case issuerMismatch
            case cancelled
            case refused
            case listenerFailed
            case timedOut
            case invalidParameters
            case redirectMismatch
            case distinctRedirectRequired
            case noPendingAuthorization
            case pushedAuthorizationFailed
            case noBrowser
        }

        private let value: Value

        /// The response lacks a code, repeats a parameter or can't be read.
        ///
        /// Refused as unsafe.
        public static let malformed = Code(value: .malformed)
        /// The response doesn't have the request's state.
        ///
        /// Refused as unsafe.
        public static let stateMismatch = Code(value: .stateMismatch)
        /// The response names another issuer.
        ///
        /// Refused as unsafe.
        public static let issuerMismatch = Code(value: .issuerMismatch)
        /// The user cancelled, or the provider sent `access_denied`: ``AuthorizationError/oauthCode`` tells them apart.
        public static let cancelled = Code(value: .cancelled)
        /// The provider refused; ``AuthorizationError/oauthCode`` is its code.
        public static let refused = Code(value: .refused)
        /// The loopback listener could not bind a port, was used before, or lost its socket.
        public static let listenerFailed = Code(value: .listenerFailed)
        /// The user did not return in time.
        public static let timedOut = Code(value: .timedOut)
        /// The parameters are invalid: the scope lacks `openid`, or `additionalParameters` contains a reserved name.
        public static let invalidParameters = Code(value: .invalidParameters)
        /// The redirect doesn't match the request's redirect URI.
        public static let redirectMismatch = Code(value: .redirectMismatch)
        /// Only an API's metadata names the server, whose responses don't contain `iss`, and the redirect URI is not its
        /// own.
        ///
        /// Refused as unsafe before the browser opens. ``ProviderMetadata/withDistinctRedirect()`` helps.
        public static let distinctRedirectRequired = Code(value: .distinctRedirectRequired)
        /// No pending sign-in expects this response, or the sign-in has expired.
        public static let noPendingAuthorization = Code(value: .noPendingAuthorization)
        /// No browser could be opened.
        public static let noBrowser = Code(value: .noBrowser)
        /// The pushed authorization request failed; ``AuthorizationError/underlying`` is the cause.
        ///
        /// Nil if nothing was sent: the provider has no endpoint for it, or the request went past it.
        public static let pushedAuthorizationFailed = Code(value: .pushedAuthorizationFailed)

        /// All codes.
        package static var allCases: [Code] { Value.allCases.map(Code.init) }

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The provider's error code, if it sent one.
    ///
    /// Wire: `error`.
    public let oauthCode: OAuthErrorCode?
    /// The provider's error text, if it sent one; sanitized and limited in length.
    ///
    /// Wire: `error_description`.
    public let oauthDescription: String?
    /// The port that can't be opened, with `listenerFailed`; nil if any port was wanted, or for another error.
    public let port: Int?
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Creates an error, for browsers, clients and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - oauthCode: The provider's error code, sanitized and limited in length. Shown: must hold no secret.
    ///   - oauthDescription: The provider's error text, sanitized and limited in length. Shown: must hold no secret.
    ///   - port: The port that can't be opened.
    ///   - underlying: The underlying error.
    public init(
        _ code: Code,
        oauthCode: OAuthErrorCode? = nil,
        oauthDescription: String? = nil,
        port: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.oauthCode = oauthCode
        self.oauthDescription = oauthDescription
        self.port = port
        self.underlying = underlying
    }

    init(_ code: Code, _ refusal: OAuthErrorResponse?) {
        self.init(code, oauthCode: refusal?.code, oauthDescription: refusal?.message)
    }

    /// Returns whether both errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The beginning of the sentence for a refusal: what the code means.
    private var refusal: String {
        switch oauthCode {
        case .loginRequired: "The user is not signed in at the provider, which may show no page"
        case .interactionRequired: "The provider must show the user a page, and may not"
        case .consentRequired: "The user has not consented at the provider, which may show no page"
        case .accountSelectionRequired: "The user must choose an account at the provider, which may show no page"
        case .unmetAuthenticationRequirements: "The provider did not authenticate the user as required"
        default: "The provider refused the sign-in"
        }
    }

    /// The error in one sentence.
    public var description: String {
        switch code {
        case .stateMismatch: "The response doesn't have this sign-in's state and was rejected."
        case .issuerMismatch: "The response does not name this sign-in's provider (iss) and was rejected."
        case .cancelled: oauthCode.map { "The sign-in was cancelled (\($0))." } ?? "The sign-in was cancelled."
        case .refused: "\(refusal) (\(oauthCode?.rawValue ?? "no code given"))."
        case .listenerFailed:
            port.map { "Port \($0) of the redirect URI can't be opened; another program may use it." }
                ?? "The port of the redirect URI can't be opened."
        case .timedOut: "The browser did not return in time."
        case .invalidParameters: "The sign-in parameters are invalid."
        case .redirectMismatch: "The redirect doesn't match the sign-in's redirect URI."
        case .distinctRedirectRequired:
            "Only the API names the server, whose responses lack iss; it needs a redirect URI of its own."
        case .noPendingAuthorization: "No pending sign-in expects this response, or it has expired."
        case .noBrowser: "No browser could be opened."
        case .pushedAuthorizationFailed:
            underlying.map { "\($0)" } ?? "The authorization request must be pushed, and was not."
        default: "The provider's response is malformed."
        }
    }
}

extension AuthorizationError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
