// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of a call.
///
/// Holds no URL and no header.
public struct APIError: Error, Sendable, Equatable {
    /// The kind of error.
    public let code: Code
    /// The response's status; nil if there was no response.
    public let status: Int?
    /// The server's own error code; nil if it did not give one.
    ///
    /// Untrusted; bounded and cleaned.
    public let serverCode: ServerErrorCode?
    /// The server's own message; nil if it did not give one.
    ///
    /// Untrusted; bounded and cleaned. Some messages are written for the user.
    public let serverMessage: String?
    /// The time that the server asks to wait; nil if it did not ask.
    public let retryAfter: Duration?
    /// The scope that the server requires, for `insufficientScope`.
    ///
    /// Untrusted; empty if the server did not name it.
    public let requiredScope: Scope?
    /// The authentication that the server requires, for `stepUpRequired`.
    public let stepUp: StepUpChallenge?
    /// The first 4,096 bytes of the response's body; nil if there was no response.
    ///
    /// Untrusted. May hold secrets, because servers repeat those of the request; redacted when printed.
    public let body: SecretBytes?
    /// Whether the server may have received the request, in whole or in part, in any attempt.
    ///
    /// False only if it surely has not: such a call is safe to repeat, whatever it does.
    public private(set) var mayHaveReachedServer: Bool
    /// The underlying error; nil if there is no other error.
    public let underlying: (any Error)?

    /// Creates an error, for clients and their test doubles.
    ///
    /// If `mayHaveReachedServer` is nil, the other parameters decide it.
    public init(
        _ code: Code,
        status: Int? = nil,
        serverCode: ServerErrorCode? = nil,
        serverMessage: String? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil,
        requiredScope: Scope? = nil,
        stepUp: StepUpChallenge? = nil,
        body: SecretBytes? = nil,
        mayHaveReachedServer: Bool? = nil
    ) {
        self.code = code
        self.status = status
        self.serverCode = serverCode
        self.serverMessage = serverMessage
        self.retryAfter = retryAfter
        self.underlying = underlying
        self.requiredScope = requiredScope
        self.stepUp = stepUp
        self.body = body
        let isUnsent = [.originNotAllowed, .timedOut, .invalidRequest, .proofUnavailable].contains(code)
        let fault = underlying as? TransportError
        self.mayHaveReachedServer = mayHaveReachedServer ?? (status != nil || fault?.mayHaveReachedServer ?? !isUnsent)
    }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Whether the same call may succeed later without any change.
    ///
    /// Says nothing of whether it is safe to repeat: see ``mayHaveReachedServer``.
    public var isRetryable: Bool {
        switch code {
        case .rateLimited, .serverFailed, .timedOut: true
        case .refused: status.map(HTTPFailure.isRetryable) ?? false
        // An untrusted certificate is permanent, and so is a proxy's refusal.
        case .unreachable:
            ![.insecureConnection, .proxyRefused].contains((underlying as? TransportError)?.code)
        default: false
        }
    }

    /// Returns the error of a call whose earlier attempts may have reached the server.
    func after(_ mayHaveReachedServer: Bool) -> APIError {
        var error = self
        error.mayHaveReachedServer = self.mayHaveReachedServer || mayHaveReachedServer
        return error
    }

    /// Creates the error of a call that a transport could not carry out.
    init(_ fault: TransportError) {
        let code: Code =
            switch fault.code {
            case .invalidRequest: .invalidRequest
            case .responseTooLarge: .malformedResponse
            default: .unreachable
            }
        self.init(code, underlying: fault)
    }
}

extension APIError: CustomStringConvertible, LocalizedError {
    /// The name, from the caller's own type, of a member that the response lacks.
    private var missingMember: String? {
        guard case .keyNotFound(let key, _)? = underlying as? DecodingError else { return nil }
        return "no member \(key.stringValue)"
    }

    /// A sentence that describes the error.
    public var description: String {
        if let fault = underlying as? TransportError { return fault.description }
        let details = [status.map { "status \($0)" }, serverCode?.rawValue, missingMember].compactMap { $0 }
        return details.isEmpty ? "\(code.sentence)." : "\(code.sentence) (\(details.joined(separator: ", ")))."
    }

    /// The same sentence, for `localizedDescription`.
    public var errorDescription: String? { description }
}

extension APIError {
    /// The kind of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String
        fileprivate let sentence: String

        private init(_ name: String, _ sentence: String) {
            (description, self.sentence) = (name, sentence)
        }

        /// 401, even with a new token if the source had one; the session does not end.
        public static let unauthorized = Code("unauthorized", "The server requires valid credentials")
        /// 403: the user may not do this, and a new token would not help.
        public static let forbidden = Code("forbidden", "The server does not allow this")
        /// Another 4xx: the server refuses this request as it is.
        public static let refused = Code("refused", "The server refused the request")
        /// 429: too many requests; ``APIError/retryAfter`` is the time to wait, if the server gave one.
        public static let rateLimited = Code("rateLimited", "The server is limiting requests")
        /// 5xx: the server failed; a later call may succeed.
        public static let serverFailed = Code("serverFailed", "The server failed")
        /// 3xx: a redirect to another origin, of another method than GET and HEAD, without one readable location, or one of
        /// more than five in a row.
        public static let redirected = Code("redirected", "The server sent a redirect that is not followed")
        /// The response is not as the endpoint expects: it is not JSON, lacks a member, or is too large.
        public static let malformedResponse = Code("malformedResponse", "The server's response can't be used")
        /// There was no response, or it broke off; ``APIError/underlying`` is the ``TransportError``.
        public static let unreachable = Code("unreachable", "The server can't be reached")

        /// 401 or 403 with `insufficient_scope`: the token is valid but allows too little.
        ///
        /// ``APIError/requiredScope`` is the required scope, if the server named it. A new token of the same sign-in
        /// would not help. [RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
        public static let insufficientScope = Code("insufficientScope", "The access token's scope does not allow this")
        /// 401 with `insufficient_user_authentication`: the token is valid but the user must authenticate again.
        ///
        /// ``APIError/stepUp`` is the required authentication. A new token of the same sign-in would not help.
        /// [RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3).
        public static let stepUpRequired = Code(
            "stepUpRequired",
            "The server requires the user to authenticate again for this"
        )
        /// 401 with `use_dpop_nonce`: the server wants a proof of possession with its nonce.
        ///
        /// The token is valid. [RFC 9449, 9](https://www.rfc-editor.org/rfc/rfc9449#section-9).
        public static let dpopNonceRequired = Code(
            "dpopNonceRequired",
            "The server requires a DPoP proof with its nonce"
        )
        /// The access token is bound to a key, and its source, which is not the session itself, gives no proof of
        /// possession.
        ///
        /// The token was not sent. [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
        public static let proofUnavailable = Code(
            "proofUnavailable",
            "The access token is bound to a key (DPoP) that is not available"
        )
        /// The origin is not the client's, or the source of the credentials does not allow it; or the address is plain http
        /// beyond loopback.
        ///
        /// Nothing was sent.
        public static let originNotAllowed = Code(
            "originNotAllowed",
            "The client does not send its credentials to this server"
        )
        /// The call's timeout expired while it waited for a token, or before it could be sent again.
        ///
        /// If it expires while the call waits for a response, the code is ``unreachable``.
        public static let timedOut = Code("timedOut", "The request timed out")
        /// The request can't be sent as it is: its path is invalid, or a header field has characters that HTTP forbids, or
        /// is one that the transport writes itself, such as `Host` or `Content-Length`.
        ///
        /// Nothing was sent.
        public static let invalidRequest = Code("invalidRequest", "The request is invalid")
    }
}
