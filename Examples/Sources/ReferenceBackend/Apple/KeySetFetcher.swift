internal import AsyncHTTPClient

/// A fetcher of a key set, with limits on time and size.
struct KeySetFetcher: Sendable {
    let client: HTTPClient
    let url: String
    /// The time that a fetch may take, from the connection to the last byte.
    var timeout: Duration = .seconds(5)

    private struct UnexpectedStatus: Error {}

    /// Returns the issuer's keys by their ids.
    ///
    /// - Throws: ``OutgoingCall/TookTooLong``; the errors of the client and the decoder.
    func fetch() async throws -> [String: IdentityKey] {
        let response = try await OutgoingCall(client: client, timeout: timeout).send(HTTPClientRequest(url: url))
        guard response.status == 200 else { throw UnexpectedStatus() }
        return try IdentityKey.keys(inSet: response.body)
    }
}
