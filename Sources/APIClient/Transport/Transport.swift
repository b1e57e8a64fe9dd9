// SPDX-License-Identifier: Apache-2.0

/// A transport, which carries one request to a server and one response back.
///
/// It follows no redirect, keeps no cookie and adds no credential: the client decides all that. It ends at once if its
/// task is cancelled, and never waits longer than the request's timeout. It may repeat an idempotent request on a kept
/// connection that ended without a response; any other request reaches the server at most once.
public protocol Transport: Sendable {
    /// Sends one request.
    ///
    /// If the task is cancelled, the server may still carry out a request that was sent.
    ///
    /// - Returns: The response, of any status, with its whole body.
    /// - Throws: ``TransportError`` if there was no complete response; `CancellationError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}
