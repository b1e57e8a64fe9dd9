// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

/// A token bound to a key, from a source that provides only the token.
@Suite struct BoundTokenTests {
    /// A source that an app may write to take only the tokens out of the session.
    private struct Unwrapping: AccessTokenSource {
        let tokens: [AccessToken]

        func credential() async throws -> AccessCredential { AccessCredential(tokens[0]) }
        func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
            AccessCredential(tokens[1])
        }
    }

    private func failure(_ tokens: [AccessToken], _ transport: ScriptedTransport) async throws -> APIError? {
        let client = APIClient(
            baseURL: try BaseURL("https://api.example.com"),
            authenticatedBy: Unwrapping(tokens: tokens),
            transport: transport
        )
        return await #expect(throws: APIError.self) { _ = try await client.send(.raw(.get, "/me")) }
    }

    /// RFC 9449, 7.1: as a bearer token, it would be valid for anybody with a copy, at a server that doesn't check.
    @Test func `a DPoP-bound token is never sent as a bearer token`() async throws {
        let transport = ScriptedTransport { _ in CallFixture.ada }
        let error = try await failure([try AccessToken("t1").bound], transport)
        #expect(error?.code == .proofUnavailable)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a DPoP-bound token from a refresh is not sent as a bearer token`() async throws {
        let transport = ScriptedTransport { _ in CallFixture.unauthorized() }
        let error = try await failure([try AccessToken("t1"), try AccessToken("t2").bound], transport)
        #expect(error?.code == .proofUnavailable)
        #expect(transport.requests.count == 1)
        #expect(error?.mayHaveReachedServer == true)
    }
}
