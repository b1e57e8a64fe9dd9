import HTTPTypes

/// Which requests and which faults a retry is for.
enum RetryRules {
    /// Faults that pass: too slow, too early, too many, and a server or proxy that has nobody behind it now.
    ///
    /// [RFC 8470, 5.2](https://www.rfc-editor.org/rfc/rfc8470#section-5.2) has 425.
    private static let passingStatuses: Set<Int> = [408, 425, 429, 502, 503, 504]
    private static let idempotentMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .put, .delete]
    private static let idempotencyKey = HTTPField.Name("Idempotency-Key")

    static func isPassing(_ status: HTTPResponse.Status) -> Bool { passingStatuses.contains(status.code) }

    /// Whether doing it twice is the same as doing it once.
    ///
    /// [RFC 9110, 9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2).
    static func isIdempotent(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        idempotentMethods.contains(method) || idempotencyKey.map { fields.contains($0) } == true
    }

    /// Whether a fault below HTTP may be gone the next time.
    ///
    /// A certificate that is not trusted, or an answer that is too large, stays so.
    static func isPassing(_ fault: TransportError) -> Bool {
        [.connectionRefused, .hostNotFound, .timedOut, .connectionClosed].contains(fault.code)
    }
}
