// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
import APIClient
import AsyncHTTPClient
import AsyncHTTPClientAuthorization
import AuthCore
import NIOCore
import NIOHTTP1
import Testing

@testable import OpenIDSessionTests

/// The parts of `HTTPClient.execute(_:authorizedBy:)` that no other client has.
@Suite(.timeLimit(.minutes(3)))
struct AsyncHTTPClientAuthorizationTests {
    /// A source whose tokens take longer than a request may.
    private struct SlowSource: AccessTokenSource {
        let base: any AccessTokenSource

        func credential() async throws -> AccessCredential {
            // The client's deadlines follow the real clock.
            try await Task.sleep(for: .seconds(3))
            return try await base.credential()
        }

        func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
            try await base.credential(insteadOf: rejected)
        }
    }

    @Test func `the history of a response has no credentials`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        let server = try HTTPResourceServer { $0.path == "/job" ? .redirected(302, to: "/jobs/1") : .accepted }
        for path in ["/job", "/jobs/1"] {
            let request = HTTPClientRequest(url: server.address + path)
            let response = try await HTTPClient.shared.execute(request, authorizedBy: fixture.session)
            #expect(response.history.count == (path == "/job" ? 2 : 1))
            for step in response.history {
                #expect(!step.request.headers.contains(name: "Authorization"))
                #expect(!step.request.headers.contains(name: "DPoP"))
            }
        }
        #expect(server.calls.allSatisfy { $0.authorization.count == 1 })
    }

    @Test func `the token goes to the named servers alone`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { _ in .accepted }
        let request = HTTPClientRequest(url: server.address + "/job")
        await #expect(throws: APIError(.originNotAllowed)) {
            let elsewhere = try BaseURL("https://api.example.com")
            _ = try await HTTPClient.shared.execute(request, authorizedBy: fixture.session, for: [elsewhere])
        }
        #expect(server.calls.isEmpty)
        let here = try BaseURL(server.address)
        let response = try await HTTPClient.shared.execute(request, authorizedBy: fixture.session, for: [here])
        #expect(response.status == .ok)
    }

    @Test func `the wait for a token does not count towards the timeout`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { _ in .accepted }
        let request = HTTPClientRequest(url: server.address + "/job")
        let source = SlowSource(base: fixture.session)
        let response = try await HTTPClient.shared.execute(request, authorizedBy: source, timeout: .seconds(2))
        #expect(response.status == .ok)
    }
}
#endif
