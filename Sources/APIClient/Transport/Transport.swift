public import HTTPTypes

/// What carries one request to a server and one answer back.
///
/// A transport follows no redirect, repeats nothing, keeps no cookie and adds no credential: all that is decided above
/// it. It ends at once when its task is cancelled, and never waits longer than the request's timeout.
public protocol Transport: Sendable {
    /// Sends one request.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The answer, of any status, its body read whole.
    /// - Throws: ``TransportError`` where no answer came; `CancellationError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Sends one request and reads the answer while it comes.
    ///
    /// The timeout covers the answer's head; its body is waited for as long as bytes of it come, each within the timeout
    /// of the last. ``TransportRequest/maximumResponseSize`` does not apply.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - read: Given the head, and the body while it comes. What it leaves unread is thrown away.
    /// - Returns: What `read` returns.
    /// - Throws: ``TransportError`` where no answer came; what `read` throws; `CancellationError`.
    func stream<Value: Sendable>(
        _ request: TransportRequest,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value
}

extension Transport {
    /// Reads the answer whole first: for doubles.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - read: Given the head and the body.
    /// - Returns: What `read` returns.
    /// - Throws: As ``Transport/send(_:)``; what `read` throws.
    public func stream<Value: Sendable>(
        _ request: TransportRequest,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value {
        let response = try await send(request)
        return try await read(response.head, ResponseBody(response.body))
    }
}
