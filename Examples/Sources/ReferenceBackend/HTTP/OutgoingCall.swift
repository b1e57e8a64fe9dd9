// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import NIOCore
internal import NIOFoundationCompat
internal import NIOHTTP1

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A call to another server, with limits on time and size.
struct OutgoingCall: Sendable {
    let client: HTTPClient
    /// The time that the call may take, from the connection to the last byte.
    let timeout: Duration

    /// The maximum size of a response, in bytes.
    private static let largestResponse = 64 * 1024

    /// The call took longer than allowed.
    struct TookTooLong: Error {}

    /// A response: its status and its whole body.
    struct Answer: Sendable {
        let status: Int
        let body: Data
    }

    /// Sends a request.
    ///
    /// - Returns: The response, whatever its status.
    /// - Throws: ``TookTooLong``; the errors of the client.
    func send(_ request: HTTPClientRequest) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await answer(to: request) }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw TookTooLong()
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// Sends the request without the client's deadline, which ends with the response head and so misses a stalled body.
    private func answer(to request: HTTPClientRequest) async throws -> Answer {
        let response = try await client.execute(request, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: Self.largestResponse)
        return Answer(status: Int(response.status.code), body: Data(buffer: body))
    }
}
