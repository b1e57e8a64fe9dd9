// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A request for a key set, with limits on time and size.
struct JWKSetRequest: Sendable {
    /// The reasons for which a response is not used.
    enum Failure: Error {
        /// The response took longer than allowed.
        case timeout
        /// The response has another status than 200, or came from another address.
        case unexpectedResponse
    }

    /// The maximum size of a response, in bytes.
    private static let maximumSize = 64 * 1_024

    let client: HTTPClient
    let url: String
    /// The time that the request may take, from the connection to the last byte.
    var timeout: Duration = .seconds(5)

    /// Returns the body of the response.
    ///
    /// - Throws: ``Failure``; the errors of the client.
    func send() async throws -> Data {
        try await withThrowingTaskGroup(of: Data.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw Failure.timeout
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// Sends the request without the client's deadline, which ends with the response head and so misses a stalled body.
    private func body() async throws -> Data {
        let response = try await client.execute(HTTPClientRequest(url: url), deadline: .distantFuture)
        // A redirect could lead to another host, or to one without TLS.
        guard response.status.code == 200, response.history.count <= 1 else { throw Failure.unexpectedResponse }
        return Data(try await response.body.collect(upTo: Self.maximumSize).readableBytesView)
    }
}
