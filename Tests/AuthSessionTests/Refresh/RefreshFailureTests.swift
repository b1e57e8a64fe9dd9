// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

@Suite struct RefreshFailureTests {
    @Test(arguments: [408, 425, 429, 500, 503])
    func `case 9: a server that is temporarily unavailable leaves the session signed in, offline`(
        status: Int
    ) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in .json("{}", status: status) }
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(fixture.isOffline)
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-1")
    }

    @Test func `a 500 with invalid_grant ends the session the second time, a minute later`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(500, code: "invalid_grant") }
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(fixture.isOffline)
        fixture.clock.advance(by: .seconds(60))
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.endedByServer))
        #expect(try await fixture.stored() == nil)
    }

    @Test(arguments: [400, 403, 404]) func `a client error other than 401 leaves the session signed in`(status: Int)
        async throws
    {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(status, code: "invalid_client") }
        #expect(await code { try await fixture.session.accessToken() } == .refreshFailed)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.stored() != nil)
    }

    @Test(arguments: [
        #"{"success": false, "error": {"code": "invalid_grant", "message": "No."}}"#,
        #"{"error": "invalid_grant"}"#,
    ])
    func `a 400 with invalid_grant ends the session and clears the store`(body: String) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in .json(body, status: 400) }
        let error = try await sessionError { try await fixture.session.accessToken() }
        #expect(error.code == .sessionEnded)
        #expect(error.serverCode?.rawValue == "invalid_grant")
        #expect(fixture.session.state == .signedOut(.endedByServer))
        #expect(try await fixture.stored() == nil)
    }

    @Test(arguments: [(400, "invalid_request"), (403, "invalid_grant"), (422, "invalid_grant")])
    func `another error code or another status does not end the session`(status: Int, serverCode: String) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(status, code: serverCode) }
        #expect(await code { try await fixture.session.accessToken() } == .refreshFailed)
        #expect(try await fixture.stored() != nil)
    }

    /// The last two keys share words with the error code, which is reported all the same.
    @Test(arguments: ["key-1", "my_api_key_1", "api_key"])
    func `an invalid API key fails the refresh and leaves the session signed in`(apiKey: String) async throws {
        let fixture = try await Fixture.expired(apiKey: apiKey)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "invalid_api_key") }
        #expect(await code { try await fixture.session.accessToken() } == .refreshFailed)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.stored() != nil)
    }

    @Test(arguments: [200, 502, 504])
    func `case 9: a response that is not the server's is retried and leaves the session offline`(
        status: Int
    ) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in .json("<html>captive portal</html>", status: status) }
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        #expect(fixture.refreshes == 2)
        #expect(fixture.isOffline)
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-1")
    }

    @Test func `a rejected refresh does not end the session if the store can't be read again`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [store = fixture.store] _ in
            store.faults.failAll(with: SecureStoreError(.locked))
            return Backend.failure(401, code: "refresh_token_reused")
        }
        #expect(await code { try await fixture.session.accessToken() } == .storeUnavailable)
        #expect(fixture.session.state == fixture.signedInState)
        fixture.store.faults.failAll(with: nil)
        #expect(try await fixture.stored() != nil)
    }

    @Test func `a rejected refresh does not end the session if a newer version wrote the stored record`() async throws {
        let fixture = try await Fixture.expired()
        try await fixture.put(#"{"version": 3}"#)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "refresh_token_reused") }
        #expect(await code { try await fixture.session.accessToken() } == .storeUnavailable)
        #expect(try await fixture.stored() == SecretBytes(Array(#"{"version": 3}"#.utf8)))
    }

    @Test func `case 12: a refused connection is not retried`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(fixture.refreshes == 1)
        #expect(fixture.session.state == .signedIn(fixture.user, .offline(since: fixture.clock.date)))
    }

    @Test func `case 9: a token that has not quite expired is returned if the server can't be reached`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.clock.advance(by: .seconds(870))
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        #expect(fixture.refreshes == 1)
        #expect(fixture.isOffline)
    }

    @Test func `a successful refresh brings the session back online`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(fixture.isOffline)
        fixture.clock.advance(by: .seconds(1))
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test(arguments: [SessionBackend.Contract.tokenPair, .sessionToken])
    func `a 401 ends the session and clears the store`(contract: SessionBackend.Contract) async throws {
        let fixture = try await Fixture.expired(contract)
        for path in [Backend.pairRefresh, Backend.tokenRefresh] {
            fixture.backend.on(path) { _ in Backend.failure(401, code: "token_expired") }
        }
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.endedByServer))
        #expect(try await fixture.stored() == nil)
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.refreshes == 1)
    }

    @Test func `case 12: a lost response is requested once more with the same refresh token`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
            return try await Backend.lost(request)
        }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        let sent = try fixture.transport.requests.dropFirst().map { try $0.members["refreshToken"] }
        #expect(sent == [.string("refresh-1"), .string("refresh-1")])
    }

    @Test func `a refresh without a response is sent again, and the second response is used`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
            await gate.pass()
            return try await Backend.lost(request)
        }
        async let token = fixture.session.accessToken()
        await gate.waitForArrival()
        await fixture.silence()
        while fixture.refreshes < 2 { await Task.yield() }
        gate.open()
        #expect(try await token.unredacted == "access-2")
        let sent = try fixture.transport.requests.dropFirst().map { try $0.members["refreshToken"] }
        #expect(sent == [.string("refresh-1"), .string("refresh-1")])
    }

    @Test func `a slow first response is used even if the refresh was sent again`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] _ in
            backend.on(Backend.pairRefresh, Backend.unreachable)
            await gate.pass()
            return Backend.pair(2)
        }
        async let token = fixture.session.accessToken()
        await gate.waitForArrival()
        await fixture.silence()
        while fixture.refreshes < 2 { await Task.yield() }
        gate.open()
        #expect(try await token.unredacted == "access-2")
        #expect(fixture.refreshes == 2)
    }

    /// The server may refuse the second request because it carried out the first: it may have no grace window.
    @Test func `a rejection of the second request is ignored while the first is pending`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        let refused = Event()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] _ in
            backend.on(Backend.pairRefresh) { _ in
                refused.happen()
                return Backend.failure(401, code: "refresh_token_reused")
            }
            await gate.pass()
            return Backend.pair(2)
        }
        async let token = fixture.session.accessToken()
        await gate.waitForArrival()
        await fixture.silence()
        await refused.wait()
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        #expect(try await token.unredacted == "access-2")
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `case 12: two lost responses leave the session signed in and the outcome unknown`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.lost)
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        #expect(fixture.refreshes == 2)
        #expect(fixture.isOffline)
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-1")
    }

    @Test func `members that the response omits keep their values`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in
            .json(#"{"accessToken": "access-2", "tokenType": "bearer", "expiresIn": 900}"#)
        }
        _ = try await fixture.session.accessToken()
        let tokens = try await fixture.storedRecord().tokens
        #expect(tokens.accessToken.unredacted == "access-2")
        #expect(tokens.refreshToken?.unredacted == "refresh-1")
        #expect(tokens.scope?.description == "openid email profile")
    }

    @Test func `case 22: a token type other than Bearer is rejected, and the session stays`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in
            .json(#"{"accessToken": "access-2", "tokenType": "mac", "expiresIn": 900}"#)
        }
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-1")
    }
}
