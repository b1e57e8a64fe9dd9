// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

extension APIError {
    /// The longest body that is read, in bytes: a longer one is no error message.
    private static let maximumBody = 65_536

    /// Creates the error for a final response, of any shape.
    ///
    /// - Parameters:
    ///   - response: The response. Untrusted.
    ///   - verdict: What the response means for the credential that was sent.
    ///   - retryAfter: The time that the server asks to wait.
    init(_ response: TransportResponse, _ verdict: AuthorizationVerdict, retryAfter: Duration?) {
        let status = response.head.status.code
        // A 5xx body is meant for the server's operators, and may hold anything.
        let said: (code: String?, message: String?) = status < 500 ? Self.members(of: response.body) : (nil, nil)
        var code = Self.code(forStatus: status)
        var (scope, stepUp): (Scope?, StepUpChallenge?)
        switch verdict {
        case .insufficientScope(let required):
            (code, scope) = (.insufficientScope, response.sent.isRepeated(in: required.description) ? "" : required)
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

    /// Reads the code and message from the first-party shape, `{"error": {"code", "message"}}`, or OAuth's
    /// ([RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
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
