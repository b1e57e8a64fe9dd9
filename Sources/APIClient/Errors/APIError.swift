// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of a call.
///
/// Holds the server's code and message and the beginning of its body, which is redacted when printed. Holds no URL and
/// no header.
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
    /// The beginning of the response's body; nil if there was no response.
    public let body: ErrorBody?
    /// The attempts before the last one, in order; empty if the call was sent once.
    public internal(set) var attempts: [APIError.Attempt]
    /// The underlying error; nil if there is no other error.
    public let underlying: (any Error)?

    /// Creates an error, for clients and their test doubles.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - status: The response's status.
    ///   - serverCode: The server's own error code.
    ///   - serverMessage: The server's own message.
    ///   - retryAfter: The time that the server asks to wait.
    ///   - underlying: The underlying error.
    ///   - requiredScope: The scope that the server requires.
    ///   - stepUp: The authentication that the server requires.
    ///   - body: The beginning of the response's body.
    ///   - attempts: The attempts before the last one.
    public init(
        _ code: Code,
        status: Int? = nil,
        serverCode: ServerErrorCode? = nil,
        serverMessage: String? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil,
        requiredScope: Scope? = nil,
        stepUp: StepUpChallenge? = nil,
        body: ErrorBody? = nil,
        attempts: [APIError.Attempt] = []
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
        self.attempts = attempts
    }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}

extension APIError {
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

    /// Whether the server may have received the request, in whole or in part, in any attempt.
    ///
    /// False only if it surely has not: such a call is safe to repeat, whatever it does.
    public var mayHaveReachedServer: Bool {
        if status != nil || attempts.contains(where: \.mayHaveReachedServer) { return true }
        if let fault = underlying as? TransportError { return fault.mayHaveReachedServer }
        return ![.invalidEndpoint, .originNotAllowed, .timedOut].contains(code)
    }
}

extension APIError.Attempt {
    /// Whether the server may have received this attempt.
    fileprivate var mayHaveReachedServer: Bool {
        // These errors happen before there is a connection.
        transportError.map { ![.connectionRefused, .hostNotFound].contains($0) } ?? true
    }
}

extension APIError {
    /// Creates the error of a call that a transport could not carry out.
    ///
    /// The caller's own mistakes have codes of their own, so that no app takes a missing file for a dead network.
    init(_ fault: TransportError, attempts: [APIError.Attempt]) {
        let code: Code =
            switch fault.code {
            case .invalidRequest: .invalidRequest
            case .bodyFailed: .bodyFailed
            case .bodyAlreadySent: .bodyNotRepeatable
            case .responseTooLarge: .malformedResponse
            default: .unreachable
            }
        self.init(code, underlying: fault, attempts: attempts)
    }
}

extension APIError: CustomStringConvertible {
    /// The name, from the caller's own type, of a member that the response lacks.
    private var missingMember: String? {
        guard case .keyNotFound(let key, _)? = underlying as? DecodingError else { return nil }
        return "no member \(key.stringValue)"
    }

    /// A sentence that describes the error.
    public var description: String {
        if let fault = underlying as? TransportError { return fault.description }
        let details = [status.map { "status \($0)" }, serverCode?.rawValue, missingMember].compactMap { $0 }
        return details.isEmpty ? sentence + "." : "\(sentence) (\(details.joined(separator: ", ")))."
    }

    private var sentence: String {
        switch code {
        case .unauthorized: "The server requires valid credentials"
        case .forbidden: "The server does not allow this"
        case .insufficientScope: "The access token's scope does not allow this"
        case .stepUpRequired: "The server requires the user to authenticate again for this"
        case .proofUnavailable: "The access token is bound to a key (DPoP) that is not available"
        case .dpopNonceRequired: "The server requires a DPoP proof with its nonce"
        case .bodyNotRepeatable: "The request must be sent again, but its body can be sent only once"
        case .rateLimited: "The server is limiting requests"
        case .serverFailed: "The server failed"
        case .redirected: "The server sent a redirect that is not followed"
        case .tooManyRedirects: "The server redirected too many times"
        case .unsafeRedirect: "The server redirected to an unsafe address"
        case .malformedResponse: "The server's response can't be used"
        case .invalidEndpoint: "An endpoint's path must begin with a slash and must not contain a query"
        case .originNotAllowed: "The client does not send its credentials to this server"
        case .unreachable: "The server can't be reached"
        case .timedOut: "The request timed out"
        case .invalidRequest: "The request is invalid"
        case .bodyFailed: "The request's body could not be sent"
        default: "The server refused the request"
        }
    }
}

extension APIError: LocalizedError {
    /// The same sentence, for `localizedDescription`.
    public var errorDescription: String? { description }
}
