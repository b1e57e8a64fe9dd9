internal import AsyncHTTPClient
internal import NIOCore
internal import NIOFoundationCompat
internal import NIOHTTP1

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Fetches a key set, with an end to how long it takes and how much is read.
struct KeySetFetcher: Sendable {
    let client: HTTPClient
    let url: String
    /// How long a fetch may take, from the connection to the last byte.
    var patience: Duration = .seconds(5)

    private static let largestSet = 64 * 1024

    /// The fetch took longer than it may.
    struct TookTooLong: Error {}

    private struct UnexpectedStatus: Error {}

    /// The issuer's keys by their ids.
    ///
    /// - Throws: ``TookTooLong``; what the client or the decoder says.
    func fetch() async throws -> [String: IdentityKey] {
        try await withThrowingTaskGroup(of: [String: IdentityKey].self) { group in
            defer { group.cancelAll() }
            group.addTask { try await keys() }
            group.addTask {
                try await Task.sleep(for: patience)
                throw TookTooLong()
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// Without a deadline of the client's, which would end with the answer's head: a body that stalls has no end.
    private func keys() async throws -> [String: IdentityKey] {
        let response = try await client.execute(HTTPClientRequest(url: url), deadline: .distantFuture)
        guard response.status == .ok else { throw UnexpectedStatus() }
        let body = try await response.body.collect(upTo: Self.largestSet)
        return try IdentityKey.keys(inSet: Data(buffer: body))
    }
}
