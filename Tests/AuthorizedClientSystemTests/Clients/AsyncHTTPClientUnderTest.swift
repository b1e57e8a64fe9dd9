// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
import AsyncHTTPClient
import AsyncHTTPClientAuthorization
import NIOCore
import NIOHTTP1

extension AuthorizedClient {
    /// The shared async-http-client, which follows redirects.
    static let asyncHTTPClient = AuthorizedClient(
        description: "async-http-client",
        forwardsProofs: true
    ) { address, source in
        return { body in
            var request = HTTPClientRequest(url: address + "/job")
            switch body {
            case .none: break
            case .replayable:
                request.method = .POST
                request.body = .bytes(ByteBuffer(bytes: Body.bytes))
            case .once:
                request.method = .POST
                request.body = .stream(AsyncStream([ByteBuffer(bytes: Body.bytes)]), length: .unknown)
            }
            let isReplayable = body == .replayable
            let response = try await HTTPClient.shared
                .execute(request, authorizedBy: source, isBodyReplayable: isReplayable)
            _ = try await response.body.collect(upTo: 1_024)
            return Int(response.status.code)
        }
    }
}

extension AsyncStream where Element: Sendable {
    /// A stream that can be read once.
    init(_ elements: [Element]) {
        self.init { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }
}
#endif
