// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Synchronization
import Testing

/// The steps after a 401: cases 3, 4, 13, 16, 19 and 23 of the hard cases of a refresh.
@Suite struct RefreshAfterRefusalTests {
    private typealias Person = CallFixture.Person

    @Test func `case 3: the retry after a 401 is counted separately from network retries`() async throws {
        let responses = ResponseSequence([
            CallFixture.refusal(503), CallFixture.unauthorized(), CallFixture.refusal(503), CallFixture.refusal(503),
            CallFixture.ada,
        ])
        let fixture = try CallFixture { _ in try responses.next() }
        #expect(try await fixture.get() == Person())
        #expect(
            fixture.authorizations == ["Bearer t1", "Bearer t1", "Bearer t2", "Bearer t2", "Bearer t2"]
        )
        #expect(fixture.refreshes == 1)
    }

    @Test func `case 4: a second 401 is unauthorized, even after a network retry`() async throws {
        let responses = ResponseSequence([
            CallFixture.unauthorized(), CallFixture.refusal(503), CallFixture.unauthorized(), CallFixture.ada,
        ])
        let fixture = try CallFixture { _ in try responses.next() }
        let error = await fixture.failure()
        #expect(error?.code == .unauthorized)
        #expect(fixture.authorizations == ["Bearer t1", "Bearer t2", "Bearer t2"])
        #expect(fixture.transport.requests.count == 3)
        #expect(fixture.refreshes == 1)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [401, 503, 302])
    func `case 13: a refresh through the same client is sent once and does not deadlock`(status: Int) async throws {
        let source = RefreshingSource(token: try AccessToken("t1"))
        let fixture = try CallFixture(isSignedIn: false) { request in
            request.head.path == "/refresh"
                ? .json("{}", status: status, headers: [.location: "/elsewhere"]) : CallFixture.unauthorized()
        }
        let client = APIClient(
            baseURL: try BaseURL("https://api.example.com"),
            authenticatedBy: source,
            transport: fixture.transport
        )
        source.use(client)
        let error = await #expect(throws: APIError.self) { let _: Person = try await client.send(.get("/me")) }
        #expect(error?.status == status)
        #expect(fixture.transport.count(of: "/me") == 1)
        #expect(fixture.transport.count(of: "/refresh") == 1)
        #expect(source.refreshes == 1)
    }

    @Test func `case 13: an anonymous call is not retried, even if nothing was sent`() async throws {
        let fixture = try CallFixture { _ in throw TransportError(.connectionRefused, mayHaveReachedServer: false) }
        let error = await fixture.failure(of: Endpoint<Person>.post("/sign-in").anonymous)
        #expect(error?.code == .unreachable)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(
        arguments: [
            [], ["Bearer"], [#"Bearer error="invalid_token""#], [#"DPoP error="invalid_token""#],
            [#"Basic realm="x""#, "Bearer"], [#"Basic realm="x", Bearer error="invalid_token""#], ["\u{1}?"],
            [#"Bearer error="invalid_token""#, #"Bearer error="insufficient_scope""#],
            [#"Basic error="insufficient_scope""#],
        ] as [[String]]
    )
    func `case 16: a 401 with invalid_token or without an error causes a refresh`(challenges: [String]) async throws {
        let fixture = try CallFixture { request in
            request.head.headerFields[.authorization] == "Bearer t2"
                ? CallFixture.ada : CallFixture.refusal(401, challenges)
        }
        #expect(try await fixture.get() == Person())
        #expect(fixture.refreshes == 1)
    }

    @Test(
        arguments: [401, 403],
        [
            #"Bearer error="insufficient_scope", scope="read write""#,
            #"DPoP error="insufficient_scope",scope="read write""#,
        ]
    )
    func `case 16: insufficient_scope causes no refresh, and the error has the scope`(status: Int, challenge: String)
        async throws
    {
        let fixture = try CallFixture { _ in CallFixture.refusal(status, [challenge]) }
        let error = await fixture.failure()
        #expect(error?.code == .insufficientScope)
        #expect(error?.status == status)
        #expect(error?.requiredScope == "read write")
        #expect(error?.stepUp == StepUpChallenge(scope: "read write"))
        #expect(fixture.transport.requests.count == 1)
        #expect(fixture.refreshes == 0)
    }

    @Test(arguments: [[], [#"Bearer error="invalid_token""#]])
    func `case 16: a 403 causes no refresh`(challenges: [String]) async throws {
        let fixture = try CallFixture { _ in CallFixture.refusal(403, challenges) }
        #expect(await fixture.failure()?.code == .forbidden)
        #expect(fixture.refreshes == 0)
    }

    @Test func `case 16: use_dpop_nonce causes no refresh`() async throws {
        let fixture = try CallFixture { _ in CallFixture.unauthorized(#"DPoP error="use_dpop_nonce""#) }
        let error = await fixture.failure()
        #expect(error?.code == .dpopNonceRequired)
        #expect(fixture.transport.requests.count == 1)
        #expect(fixture.refreshes == 0)
    }

    @Test(arguments: [true, false])
    func `case 16: a setting decides whether a 401 of another scheme causes a refresh`(refreshes: Bool) async throws {
        let fixture = try CallFixture(configure: { $0.refreshesWithoutBearerChallenge = refreshes }) { _ in
            CallFixture.unauthorized(#"Basic realm="x", Negotiate"#)
        }
        #expect(await fixture.failure()?.code == .unauthorized)
        #expect(fixture.refreshes == (refreshes ? 1 : 0))
        #expect(fixture.transport.requests.count == (refreshes ? 2 : 1))
    }

    @Test func `case 19: a proxy's 407 causes no refresh`() async throws {
        let fixture = try CallFixture { _ in
            .json("{}", status: 407, headers: [.proxyAuthenticate: "Bearer", .wwwAuthenticate: "Bearer"])
        }
        #expect(await fixture.failure()?.code == .refused)
        #expect(fixture.transport.requests.count == 1)
        #expect(fixture.refreshes == 0)
    }

    @Test func `case 19: a 401 after a redirect within the origin causes a refresh`() async throws {
        let fixture = try CallFixture { request in
            guard request.head.path == "/new" else { return CallFixture.redirect(307, to: "/new") }
            return request.head.headerFields[.authorization] == "Bearer t2"
                ? CallFixture.ada : CallFixture.unauthorized("Bearer")
        }
        #expect(try await fixture.get() == Person())
        #expect(fixture.sent.map { $0.suffix(4) } == ["m/me", "/new", "/new"])
        #expect(fixture.refreshes == 1)
    }

    @Test func `case 23: a request's own Authorization is kept in retries and causes no refresh`() async throws {
        let responses = ResponseSequence([CallFixture.refusal(503), CallFixture.unauthorized("Bearer")])
        let fixture = try CallFixture { _ in try responses.next() }
        let error = await fixture.failure(
            of: Endpoint<Person>.get("/me").with { $0.headers = [.authorization: "Bearer own"] }
        )
        #expect(error?.code == .unauthorized)
        #expect(fixture.authorizations == ["Bearer own", "Bearer own"])
        #expect(fixture.source?.rejected == [])
    }

    @Test func `the retry after a 401 carries the API key`() async throws {
        let fixture = try CallFixture(apiKey: "k1") { request in
            request.head.headerFields[.authorization] == "Bearer t2" ? CallFixture.ada : CallFixture.unauthorized()
        }
        _ = try await fixture.get()
        let field = try #require(HTTPField.Name("X-API-Key"))
        #expect(fixture.transport.requests.map { $0.head.headerFields[field] } == ["k1", "k1"])
    }
}

/// A source that refreshes through the client that asks it, as a session does.
private final class RefreshingSource: AccessTokenSource {
    private struct Tokens: Decodable {}

    private let token: AccessToken
    private let state: Mutex<(client: APIClient?, refreshes: Int)> = Mutex((nil, 0))

    init(token: AccessToken) {
        self.token = token
    }

    var refreshes: Int { state.withLock { $0.refreshes } }

    func use(_ client: APIClient) {
        state.withLock { $0.client = client }
    }

    func credential() async throws -> AccessCredential { AccessCredential(token) }

    func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
        let client = state.withLock { state in
            state.refreshes += 1
            return state.client
        }
        let _: Tokens? = try await client?.send(.get("/refresh").anonymous)
        return AccessCredential(token)
    }
}
