// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import AuthTesting
import HTTPTypes
import Testing

@testable import AppBackendSession
@testable import AuthSessionTests

/// A client that knows its session's address and API key.
@Suite struct SessionClientTests {
    @Test func `calls go to the session's backend with its API key and token, also after a 401`() async throws {
        let fixture = try await Fixture.signedIn(apiKey: "key-2")
        fixture.backend.on("/api/jobs") { request in
            request.header("Authorization") == "Bearer access-1" ? Backend.failure(401, code: "x") : .json("[1]")
        }
        let client = APIClient(authenticatedBy: fixture.session, transport: fixture.transport)
        let jobs: [Int] = try await client.send(.get("/api/jobs"))
        #expect(jobs == [1])
        let calls = fixture.transport.requests.filter { $0.head.path == "/api/jobs" }
        #expect(calls.map { $0.header("Authorization") } == ["Bearer access-1", "Bearer access-2"])
        #expect(calls.allSatisfy { $0.header("X-API-Key") == "key-2" })
        #expect(calls.allSatisfy { $0.head.authority == "api.example.org" && $0.head.scheme == "https" })
    }

    @Test func `a redirect to another server is not followed with the token or the API key`() async throws {
        let fixture = try await Fixture.signedIn()
        let location: HTTPFields = [.location: "https://elsewhere.example/api/jobs"]
        fixture.backend.on("/api/jobs") { _ in .json("{}", status: 302, headers: location) }
        let client = APIClient(authenticatedBy: fixture.session, transport: fixture.transport)
        let error = await #expect(throws: APIError.self) { let _: [Int] = try await client.send(.get("/api/jobs")) }
        #expect(error?.code == .redirected)
        #expect(fixture.transport.requests.allSatisfy { $0.head.authority == "api.example.org" })
    }

    @Test func `a backend without an API key gets none`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on("/api/jobs") { _ in .json("[1]") }
        let session = try fixture.otherProcess(
            at: .firstParty(baseURL: fixture.session.backend.baseURL, contract: .tokenPair)
        )
        let client = APIClient(authenticatedBy: session, transport: fixture.transport)
        let _: [Int] = try await client.send(.get("/api/jobs"))
        let call = try #require(fixture.transport.requests.last { $0.head.path == "/api/jobs" })
        #expect(call.header("X-API-Key") == nil)
        #expect(call.header("Authorization") == "Bearer access-1")
    }
}
