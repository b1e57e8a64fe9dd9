// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import AuthTesting
import OpenIDConnect
import Synchronization
import Testing

@testable import OpenIDSessionTests

/// The promises of each client that carries a session's tokens, with real sockets and the real engine.
@Suite(.timeLimit(.minutes(3)))
struct AuthorizedClientTests {
    static let clients: [AuthorizedClient] = {
        var clients: [AuthorizedClient] = [.apiClient, .openAPI]
        #if canImport(Darwin)
        clients.append(.urlSession)
        #endif
        #if AsyncHTTPClient
        clients.append(.asyncHTTPClient)
        #endif
        return clients
    }()
    static let redirecting = clients.filter(\.followsRedirects)
    static let leaving = redirecting.filter(\.leavesOrigin)

    private static let invalidToken = #"Bearer error="invalid_token""#

    /// Returns a handler that accepts every bearer token but one.
    private static func refusing(_ token: AccessToken, after count: Int = 0) -> HTTPResourceServer.Handler {
        let seen = Mutex(0)
        return { call in
            let number = seen.withLock { seen in
                seen += 1
                return seen
            }
            guard call.authorization.count == 1, call.authorization[0].hasPrefix("Bearer ") else {
                return .refused(400, challenge: nil)
            }
            guard call.authorization[0] == "Bearer \(token.unredacted)", number > count else { return .accepted }
            return .refused(401, challenge: invalidToken)
        }
    }

    @Test(arguments: clients)
    func `a request carries the session's token once`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { _ in .accepted }
        #expect(try await client.send(server.address, .replayable, fixture.session) == 200)
        let token = try await fixture.session.accessToken()
        let call = try #require(server.calls.first)
        #expect(server.calls.count == 1)
        #expect(call.authorization == ["Bearer \(token.unredacted)"])
        #expect(call.proofs.isEmpty)
        #expect(call.body == AuthorizedClient.Body.bytes)
    }

    @Test(arguments: clients)
    func `after a 401 a request is sent once more with another token`(client: AuthorizedClient) async throws {
        for body in [AuthorizedClient.Body.none, .replayable] {
            let fixture = try await ProviderFixture.signedIn()
            let server = try HTTPResourceServer(Self.refusing(try await fixture.session.accessToken()))
            #expect(try await client.send(server.address, body, fixture.session) == 200)
            #expect(server.calls.count == 2)
            #expect(Set(server.calls.map(\.authorization)).count == 2)
            #expect(Set(server.calls.map(\.body)).count == 1)
            #expect(fixture.provider.refreshCount == 1)
        }
    }

    @Test(arguments: clients)
    func `a second 401 is the result and ends no session`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { _ in .refused(401, challenge: Self.invalidToken) }
        #expect(try await client.send(server.address, .replayable, fixture.session) == 401)
        #expect(server.calls.count == 2)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test(arguments: clients)
    func `a 401 without a challenge leads to another token`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { _ in .refused(401, challenge: nil) }
        #expect(try await client.send(server.address, .none, fixture.session) == 401)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test(arguments: clients)
    func `a 401 that names Basic too leads to another token`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { _ in .refused(401, challenge: Self.invalidToken + #", Basic realm="x""#) }
        #expect(try await client.send(server.address, .replayable, fixture.session) == 401)
        #expect(server.calls.count == 2)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test(arguments: clients.filter(\.hasOneShotBodies))
    func `a body that can be produced once is produced once`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { _ in .refused(401, challenge: Self.invalidToken) }
        #expect(try await client.send(server.address, .once, fixture.session) == 401)
        #expect(server.calls.map(\.body) == [AuthorizedClient.Body.bytes])
        #expect(fixture.provider.refreshCount == 0)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test(arguments: clients)
    func `fifty calls survive a refresh in their middle`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer(Self.refusing(try await fixture.session.accessToken(), after: 25))
        // One client, as in an app.
        let call = try client.connect(server.address, fixture.session)
        let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<10 {
                group.addTask {
                    var statuses: [Int] = []
                    for number in 0..<5 {
                        let body = number.isMultiple(of: 2) ? AuthorizedClient.Body.none : .replayable
                        statuses.append(try await call(body))
                    }
                    return statuses
                }
            }
            return try await group.reduce(into: [Int]()) { $0 += $1 }
        }
        #expect(statuses == [Int](repeating: 200, count: 50))
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test(arguments: clients)
    func `a lost response is an error, costs no refresh and ends no session`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let isLost = Mutex(true)
        let server = try HTTPResourceServer { _ in isLost.withLock { $0 } ? .lost : .accepted }
        await #expect(throws: (any Error).self) {
            _ = try await client.send(server.address, .replayable, fixture.session)
        }
        isLost.withLock { $0 = false }
        #expect(try await client.send(server.address, .replayable, fixture.session) == 200)
        #expect(fixture.provider.refreshCount == 0)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test(arguments: clients)
    func `too small a scope and a step-up cost no refresh`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let replies: [(status: Int, challenge: String)] = [
            (403, #"Bearer error="insufficient_scope", scope="jobs""#),
            (401, #"Bearer error="insufficient_user_authentication", acr_values="mfa""#),
        ]
        for reply in replies {
            let server = try HTTPResourceServer { _ in .refused(reply.status, challenge: reply.challenge) }
            #expect(try await client.send(server.address, .none, fixture.session) == reply.status)
            #expect(server.calls.count == 1)
        }
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test(arguments: clients)
    func `nothing is sent if nobody is signed in`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture()
        let server = try HTTPResourceServer { _ in .accepted }
        let error = await #expect(throws: (any Error).self) {
            _ = try await client.send(server.address, .none, fixture.session)
        }
        #expect((error as? AuthSessionError)?.code == .notSignedIn)
        #expect(server.calls.isEmpty)
    }

    @Test(arguments: clients)
    func `the token of a sign-in that named an API goes to no other server`(client: AuthorizedClient) async throws {
        let (server, other) = (try HTTPResourceServer { _ in .accepted }, try HTTPResourceServer { _ in .accepted })
        var parameters = AuthorizationParameters()
        parameters.resources = [server.address + "/mcp"]
        let fixture = try await ProviderFixture.signedIn(asking: parameters)
        // The second session is restored for the request.
        for session in [fixture.session, fixture.otherProcess()] {
            let error = await #expect(throws: (any Error).self) {
                _ = try await client.send(other.address, .none, session)
            }
            #expect((error as? APIError)?.code == .originNotAllowed)
            #expect(other.calls.isEmpty)
            #expect(try await client.send(server.address, .none, session) == 200)
        }
        let named = fixture.session.allowing(try BaseURL(other.address))
        #expect(try await client.send(other.address, .none, named) == 200)
        #expect(other.calls.count == 1)
    }

    @Test(arguments: clients)
    func `a cancelled call ends, and ends no session`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { _ in .none }
        let call = Task { try await client.send(server.address, .none, fixture.session) }
        while server.calls.isEmpty { await Task.yield() }
        call.cancel()
        await #expect(throws: (any Error).self) { _ = try await call.value }
        #expect(fixture.session.state == fixture.signedInState)
    }

    // `APIClient` is created with a `BaseURL`, which refuses such an address.
    @Test(arguments: clients.filter(\.takesURLs))
    func `no token goes over plain HTTP`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        // RFC 5737: an address for documentation, where no server is.
        let error = await #expect(throws: APIError.self) {
            _ = try await client.send("http://192.0.2.1", .none, fixture.session)
        }
        #expect(error?.code == .originNotAllowed)
    }

    @Test(arguments: leaving)
    func `a redirect to another origin carries no token`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let other = try HTTPResourceServer { _ in .refused(401, challenge: Self.invalidToken) }
        let server = try HTTPResourceServer { _ in .redirected(302, to: other.address + "/stolen") }
        #expect(try await client.send(server.address, .none, fixture.session) == 401)
        #expect(other.calls.map(\.authorization) == [[]])
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test(arguments: redirecting)
    func `a redirect within the origin keeps the token`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let token = try await fixture.session.accessToken().unredacted
        let server = try HTTPResourceServer { call in
            if call.path == "/job" { return .redirected(302, to: "/jobs/1") }
            return call.authorization == ["Bearer \(token)"] ? .refused(401, challenge: Self.invalidToken) : .accepted
        }
        #expect(try await client.send(server.address, .none, fixture.session) == 200)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test(arguments: leaving)
    func `a redirect back from another origin carries no token`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let back = Mutex("")
        let other = try HTTPResourceServer { _ in .redirected(302, to: back.withLock { $0 }) }
        let server = try HTTPResourceServer { call in
            call.path == "/job"
                ? .redirected(302, to: other.address + "/hop") : .refused(401, challenge: Self.invalidToken)
        }
        back.withLock { $0 = server.address + "/chosen-by-another" }
        #expect(try await client.send(server.address, .none, fixture.session) == 401)
        #expect(server.calls.map(\.path) == ["/job", "/chosen-by-another"])
        #expect(server.calls.last?.authorization == [])
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test(arguments: leaving)
    func `a POST that a redirect has answered is not sent again`(client: AuthorizedClient) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { call in
            call.path == "/job" ? .redirected(303, to: "/jobs/1") : .refused(401, challenge: Self.invalidToken)
        }
        #expect(try await client.send(server.address, .replayable, fixture.session) == 401)
        #expect(server.calls.count { $0.path == "/job" } == 1)
    }

    @Test(arguments: redirecting, [307, 308])
    func `a redirect that keeps a body loses none of it`(client: AuthorizedClient, status: Int) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let server = try HTTPResourceServer { call in
            call.path == "/job" ? .redirected(status, to: "/jobs/1") : .accepted
        }
        let result = client.followsRedirectsWithBody ? 200 : status
        #expect(try await client.send(server.address, .replayable, fixture.session) == result)
        #expect(server.calls.map(\.path) == (client.followsRedirectsWithBody ? ["/job", "/jobs/1"] : ["/job"]))
        #expect(server.calls.allSatisfy { $0.body == AuthorizedClient.Body.bytes })
    }
}
