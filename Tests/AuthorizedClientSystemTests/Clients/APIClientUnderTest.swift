// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes

extension AuthorizedClient {
    /// The package's own client, without retries after transient errors.
    static let apiClient = AuthorizedClient(
        description: "APIClient",
        takesURLs: false
    ) { address, source in
        var configuration = APIClient.Configuration()
        configuration.retries = .never
        configuration.redirects = .anyOrigin()
        let client = APIClient(
            baseURL: try BaseURL(address),
            authenticatedBy: source,
            configuration: configuration
        )
        return { body in
            let response: TransportResponse =
                switch body {
                case .none: try await client.send(.raw(.get, "/job"))
                case .replayable: try await client.send(.raw(.post, "/job", body: .bytes(Body.bytes)))
                case .once: try await client.send(.raw(.post, "/job", body: .oneShot(AsyncStream([Body.bytes]))))
                }
            return response.head.status.code
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
