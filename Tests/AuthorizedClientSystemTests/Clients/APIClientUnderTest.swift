// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes

extension AuthorizedClient {
    /// The package's own client, without retries after transient errors.
    static let apiClient = AuthorizedClient(
        description: "APIClient",
        leavesOrigin: false,
        takesURLs: false,
        followsRedirectsWithBody: false,
        hasOneShotBodies: false
    ) { address, source in
        let client = APIClient(baseURL: try BaseURL(address), authenticatedBy: source, retries: 0)
        return { body in
            let response: TransportResponse =
                switch body {
                case .none: try await client.send(.raw(.get, "/job"))
                case .replayable, .once: try await client.send(.raw(.post, "/job", body: RequestBody(Body.bytes)))
                }
            return response.head.status.code
        }
    }
}
