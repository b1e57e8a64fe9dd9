import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Testing

@testable import AuthSession

@Suite struct AccessTokenTests {
    @Test func `a fresh token is answered without a request`() async throws {
        let fixture = try await Fixture.signedIn()
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `a session in memory is not read from the store again`() async throws {
        let fixture = try await Fixture.signedIn()
        let before = fixture.store.faults.callCount
        for _ in 0..<1_000 { #expect(try await fixture.session.accessToken().unredacted == "access-1") }
        #expect(fixture.store.faults.callCount == before)
        #expect(before > 0)
    }

    @Test func `case 1: fifty callers of an expired token wait for one refresh, written before it is answered`()
        async throws
    {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        let answers = try await withThrowingTaskGroup(of: (String, String?).self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let token = try await fixture.session.accessToken().unredacted
                    let stored = try await fixture.storedRecord().tokens.accessToken.unredacted
                    return (token, stored)
                }
            }
            await gate.somebodyWaits()
            for _ in 0..<100 { await Task.yield() }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 50)
        #expect(answers.allSatisfy { $0.0 == "access-2" && $0.1 == "access-2" })
        #expect(fixture.refreshes == 1)
        #expect(try await fixture.storedRecord().generation == 1)
    }

    @Test func `case 6: nobody is answered with a new token before it is written`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let token = fixture.session.accessToken()
        await gate.somebodyWaits()
        #expect(await fixture.session.heldTokens?.accessToken.unredacted == "access-1")
        gate.open()
        #expect(try await token.unredacted == "access-2")
    }

    @Test func `a token that is due soon is answered at once and renewed beside`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.clock.advance(by: .seconds(29 * 86_400 + 3_600))
        let gate = Gate()
        fixture.backend.on(Backend.tokenRefresh) { _ in
            await gate.pass()
            return Backend.sessionToken(2)
        }
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(1))
        await gate.somebodyWaits()
        let flight = try #require(await fixture.session.flight)
        gate.open()
        #expect(try await flight.value().accessToken.unredacted == Backend.jwt(2))
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(2))
        #expect(fixture.refreshes == 1)
    }

    @Test func `case 2: a token that was replaced meanwhile is not refreshed again`() async throws {
        let fixture = try await Fixture.expired()
        let stale = try AccessToken("access-1")
        _ = try await fixture.session.accessToken()
        #expect(try await fixture.session.accessToken(insteadOf: stale).unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `the current token, refused, is refreshed`() async throws {
        let fixture = try await Fixture.signedIn()
        let token = try await fixture.session.accessToken()
        #expect(try await fixture.session.accessToken(insteadOf: token).unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `a token that lives long enough is not renewed`() async throws {
        let fixture = try await Fixture.signedIn()
        #expect(try await fixture.session.accessToken(validFor: .seconds(900)).unredacted == "access-1")
        #expect(fixture.refreshes == 0)
    }

    @Test func `a token that does not live long enough is renewed`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.session.accessToken(validFor: .seconds(900)).unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `a life longer than the server gives is told`() async throws {
        let fixture = try await Fixture.signedIn()
        #expect(await code { try await fixture.session.accessToken(validFor: .seconds(901)) } == .lifetimeTooShort)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `the refresh token and the API key go on the wire`() async throws {
        let fixture = try await Fixture.expired()
        _ = try await fixture.session.accessToken()
        let request = try #require(fixture.transport.requests.last)
        #expect(request.head.path == Backend.pairRefresh)
        #expect(try request.members == ["refreshToken": .string("refresh-1")])
        #expect(request.header("X-API-Key") == "key-1")
    }

    @Test func `a session token is exchanged by showing it`() async throws {
        let fixture = try await Fixture.expired(.sessionToken)
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(2))
        let request = try #require(fixture.transport.requests.last)
        #expect(request.head.path == Backend.tokenRefresh)
        #expect(request.header("Authorization") == "Bearer \(Backend.jwt(1))")
        #expect(request.header("X-API-Key") == "key-1")
    }

    @Test func `nobody signed in has no token`() async throws {
        let fixture = try Fixture()
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(fixture.transport.requests.isEmpty)
    }
}
