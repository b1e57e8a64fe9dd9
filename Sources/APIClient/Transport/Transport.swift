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
}
