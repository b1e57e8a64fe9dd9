// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The rules for requests and errors that may be retried.
enum RetryRules {
    private static let idempotentMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .put, .delete]
    private static let idempotencyKey = HTTPField.Name("Idempotency-Key")

    /// Whether sending the request twice has the same effect as sending it once.
    ///
    /// [RFC 9110, 9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2).
    static func isIdempotent(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        idempotentMethods.contains(method) || idempotencyKey.map { fields.contains($0) } == true
    }

    /// Whether a transport error may be gone the next time.
    ///
    /// An untrusted certificate or a response that is too large is permanent.
    static func isRetryable(_ fault: TransportError) -> Bool {
        [.connectionRefused, .hostNotFound, .timedOut, .connectionClosed].contains(fault.code)
    }
}
