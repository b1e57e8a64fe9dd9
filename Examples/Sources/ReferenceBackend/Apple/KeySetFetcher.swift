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

    private static let patience: TimeAmount = .seconds(5)
    private static let largestSet = 64 * 1024

    private struct UnexpectedStatus: Error {}

    /// The issuer's keys by their ids.
    func fetch() async throws -> [String: IdentityKey] {
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: Self.patience)
        guard response.status == .ok else { throw UnexpectedStatus() }
        let body = try await response.body.collect(upTo: Self.largestSet)
        return try IdentityKey.keys(inSet: Data(buffer: body))
    }
}
