// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import HTTPTypes

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
    /// Nil if there was no response, or one that is too large.
    public let status: Int?
    /// The server's own error code; untrusted, bounded and cleaned.
    public let serverCode: ServerErrorCode?
    /// The server's own message, which may be written for the user; untrusted, bounded and cleaned.
    public let serverMessage: String?
    /// The time that the server asks to wait; nil if it did not ask.
    public let retryAfter: Duration?
    /// The scope that the server requires, for `insufficientScope`; untrusted, and empty if it did not name one.
    public let requiredScope: Scope?
    /// The authentication or scope that the server requires, for `stepUpRequired` and `insufficientScope`.
    public let stepUp: StepUpChallenge?
    /// The first 4,096 bytes of the response's body; untrusted, and may repeat secrets of the request.
    public let body: SecretBytes?
    /// Whether the server may have received the request, in whole or in part, in any attempt.
    ///
    /// False only if it surely has not: such a call is safe to repeat, whatever it does.
    public private(set) var mayHaveReachedServer: Bool
    /// The underlying error; nil if there is no other error.
    public let underlying: (any Error)?

    /// Creates an error; if `mayHaveReachedServer` is nil, the other parameters decide it.
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
        (self.code, self.status, self.serverCode, self.serverMessage) = (code, status, serverCode, serverMessage)
        (self.retryAfter, self.underlying) = (retryAfter, underlying)
        (self.requiredScope, self.stepUp, self.body) = (requiredScope, stepUp, body)
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

extension APIError {
    /// The longest body that is read, in bytes: a longer one is no error message.
    private static let maximumBody = 65_536

    /// Creates the error for a final response, of any shape.
    ///
    /// - Parameter verdict: What the response, which is untrusted, means for the credential that was sent.
    init(_ response: TransportResponse, _ verdict: AuthorizationVerdict, retryAfter: Duration?) {
        let status = response.head.status.code
        var said = Self.members(of: response.body)
        // A 5xx body is meant for the server's operators, and may hold anything. One code matters to a session.
        if status >= 500 { said = (said.code == ServerErrorCode.invalidGrant.rawValue ? said.code : nil, nil) }
        var code = Self.code(forStatus: status)
        var (scope, stepUp): (Scope?, StepUpChallenge?)
        switch verdict {
        case .insufficientScope(let required):
            (code, scope) = (.insufficientScope, response.sent.isRepeated(in: required.description) ? "" : required)
            stepUp = scope.map { StepUpChallenge(required: $0) }
        case .stepUpRequired(let challenge):
            let values = challenge.acrValues.filter { !response.sent.isRepeated(in: $0) }
            (code, stepUp) = (.stepUpRequired, StepUpChallenge(acrValues: values, maxAge: challenge.maxAge))
        case .nonceUnavailable: code = .dpopNonceRequired
        case .final, .reauthenticate, .renewProof: break
        }
        self.init(
            code,
            status: status,
            serverCode: said.code.flatMap { DisplayText.code($0, known: ServerErrorCode.known, sent: response.sent) },
            serverMessage: said.message.flatMap { DisplayText.clean($0, limit: 300, sent: response.sent) },
            retryAfter: retryAfter,
            requiredScope: scope,
            stepUp: stepUp,
            body: SecretBytes(response.body.prefix(4_096))
        )
    }

    private static func code(forStatus status: Int) -> Code {
        switch status {
        case 300..<400: .redirected
        case 401: .unauthorized
        case 403: .forbidden
        case 429: .rateLimited
        case 400..<500: .refused
        case 500...: .serverFailed
        default: .malformedResponse
        }
    }

    /// Reads the code and message from the first-party shape, `{"error": {"code", "message"}}`, or RFC 6749's (5.2).
    private static func members(of body: [UInt8]) -> (code: String?, message: String?) {
        // RFC 8259, 8.1: a byte order mark may be ignored, as the decoder of values does.
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
        // A body of another shape adds nothing to the error: the status is enough.
        guard text.count <= maximumBody, let document = try? JSONValue.object(in: text) else { return (nil, nil) }
        switch document[exactly: "error"] {
        case .object(let error): return (error["code"]?.string, error["message"]?.string)
        case .string(let code): return (code, document[exactly: "error_description"]?.string)
        default: return (nil, nil)
        }
    }
}

extension APIError: CustomStringConvertible, LocalizedError {
    /// The name, from the caller's own type, of a member that the response lacks.
    private var missingMember: String? {
        guard case .keyNotFound(let key, _)? = underlying as? DecodingError else { return nil }
        return "no member \(key.stringValue)"
    }

    public var description: String {
        if let fault = underlying as? TransportError { return fault.description }
        let details = [status.map { "status \($0)" }, serverCode?.rawValue, missingMember].compactMap { $0 }
        return details.isEmpty ? "\(code.sentence)." : "\(code.sentence) (\(details.joined(separator: ", ")))."
    }

    public var errorDescription: String? { description }
}

extension APIError {
    /// The kind of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let description: String
        fileprivate let sentence: String

        private init(_ name: String, _ sentence: String) { (description, self.sentence) = (name, sentence) }

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
        /// 3xx: a redirect to another origin, of another method than GET and HEAD, of an anonymous call, without one
        /// readable location, or the sixth.
        public static let redirected = Code("redirected", "The server sent a redirect that is not followed")
        /// The response is not as the endpoint expects: it is not JSON, lacks a member, or is too large.
        public static let malformedResponse = Code("malformedResponse", "The server's response can't be used")
        /// There was no response, or it broke off; ``APIError/underlying`` is the ``TransportError``.
        public static let unreachable = Code("unreachable", "The server can't be reached")
        /// 401 or 403 with `insufficient_scope`: the token is valid but allows less than ``APIError/requiredScope``.
        ///
        /// A new token of the same sign-in would not help.
        /// [RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
        public static let insufficientScope = Code("insufficientScope", "The access token's scope does not allow this")
        /// 401 or 403 with `insufficient_user_authentication`: the user must authenticate as ``APIError/stepUp`` says.
        ///
        /// A new token of the same sign-in would not help.
        /// [RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3).
        public static let stepUpRequired =
            Code("stepUpRequired", "The server requires the user to authenticate again for this")
        /// 401 with `use_dpop_nonce`: the token is valid, and the server wants a proof with its nonce (RFC 9449, 9).
        public static let dpopNonceRequired =
            Code("dpopNonceRequired", "The server requires a DPoP proof with its nonce")
        /// The access token, which was not sent, is bound to a key, and its source gives no proof of possession.
        public static let proofUnavailable =
            Code("proofUnavailable", "The access token is bound to a key (DPoP) that is not available")
        /// The origin is not the client's or not allowed by the source, or is plain http beyond loopback; nothing was sent.
        public static let originNotAllowed =
            Code("originNotAllowed", "The client does not send its credentials to this server")
        /// The call's timeout expired while it waited for a token, or before it could be sent again.
        ///
        /// If it expires while the call waits for a response, the code is ``unreachable``.
        public static let timedOut = Code("timedOut", "The request timed out")
        /// The request can't be sent, and was not: its path is invalid, or a header field has characters that HTTP forbids,
        /// or is one that the transport writes itself, such as `Host` or `Content-Length`.
        public static let invalidRequest = Code("invalidRequest", "The request is invalid")
    }
}
