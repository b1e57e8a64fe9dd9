// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Testing

/// Complete calls by an app, with the provider as the transport.
@Suite struct InProcessProviderCallTests {
    private struct ResourceResponse: Decodable, Sendable {
        let sub: String
        let method: String
    }

    /// The first access token until it is refused; then the token from a refresh.
    private struct Source: AccessTokenSource {
        let client: HandmadeClient
        let tokens: HandmadeResponse

        func credential() async throws -> AccessCredential {
            AccessCredential(try AccessToken(#require(tokens.accessToken)))
        }

        func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
            AccessCredential(try AccessToken(#require(try await client.refresh(tokens.refreshToken).accessToken)))
        }
    }

    private let client = HandmadeClient()

    private func api() async throws -> APIClient {
        APIClient(
            baseURL: try BaseURL(client.provider.url(of: .api)),
            authenticatedBy: Source(client: client, tokens: try await client.signIn()),
            transport: client.provider
        )
    }

    @Test func `a call with an expired token succeeds after a refresh`() async throws {
        let api = try await api()
        client.clock.advance(by: .seconds(300))
        let answer: ResourceResponse = try await api.send(.get("/jobs"))
        #expect(answer.sub == "248289761001")
        #expect(client.provider.requests(at: .api).map(\.status) == [401, 200])
        #expect(client.provider.refreshCount == 1)
    }

    @Test func `a call whose response is lost is retried`() async throws {
        let api = try await api()
        client.provider.inject(.dropResponse(at: .api))
        let answer: ResourceResponse = try await api.send(.get("/jobs"))
        #expect(answer.method == "GET")
        #expect(client.provider.requests(at: .api).map(\.outcome) == [.responseLost(200), .responded(200)])
    }
}
