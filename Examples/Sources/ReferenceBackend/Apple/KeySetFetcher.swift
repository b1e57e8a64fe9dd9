internal import AsyncHTTPClient
internal import NIOCore
internal import NIOFoundationCompat
internal import NIOHTTP1

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A fetcher of a key set, with limits on time and size.
struct KeySetFetcher: Sendable {
    let client: HTTPClient
    let url: String
    /// The time that a fetch may take, from the connection to the last byte.
    var timeout: Duration = .seconds(5)

    private static let largestSet = 64 * 1024

    /// The fetch took longer than allowed.
    struct TookTooLong: Error {}

    private struct UnexpectedStatus: Error {}

    /// Returns the issuer's keys by their ids.
    ///
    /// - Throws: ``TookTooLong``; the errors of the client and the decoder.
    func fetch() async throws -> [String: IdentityKey] {
        try await withThrowingTaskGroup(of: [String: IdentityKey].self) { group in
            defer { group.cancelAll() }
            group.addTask { try await keys() }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw TookTooLong()
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// Sends the request without the client's deadline, which ends with the response head and so misses a stalled body.
    private func keys() async throws -> [String: IdentityKey] {
        let response = try await client.execute(HTTPClientRequest(url: url), deadline: .distantFuture)
        guard response.status == .ok else { throw UnexpectedStatus() }
        let body = try await response.body.collect(upTo: Self.largestSet)
        return try IdentityKey.keys(inSet: Data(buffer: body))
    }
}
