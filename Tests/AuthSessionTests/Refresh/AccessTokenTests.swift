// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Testing

@testable import AuthSession

@Suite struct AccessTokenTests {
    @Test func `a fresh token is returned without a request`() async throws {
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

    @Test func `case 1: fifty callers with an expired token share one refresh, which is stored before it returns`()
        async throws
    {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        let results = try await withThrowingTaskGroup(of: (String, String?).self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let token = try await fixture.session.accessToken().unredacted
                    let stored = try await fixture.storedRecord().tokens.accessToken.unredacted
                    return (token, stored)
                }
            }
            await gate.waitForArrival()
            for _ in 0..<100 { await Task.yield() }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 50)
        #expect(results.allSatisfy { $0.0 == "access-2" && $0.1 == "access-2" })
        #expect(fixture.refreshes == 1)
        #expect(try await fixture.storedRecord().tokenGeneration == 1)
    }

    @Test func `case 6: no caller receives a new token before it is stored`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let token = fixture.session.accessToken()
        await gate.waitForArrival()
        #expect(await fixture.session.inMemoryTokens?.accessToken.unredacted == "access-1")
        gate.open()
        #expect(try await token.unredacted == "access-2")
    }

    @Test func `an expiring token is returned at once and refreshed in the background`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.clock.advance(by: .seconds(29 * 86_400 + 3_600))
        let gate = Gate()
        fixture.backend.on(Backend.tokenRefresh) { _ in
            await gate.pass()
            return Backend.sessionToken(2)
        }
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(1))
        await gate.waitForArrival()
        let flight = try #require(await fixture.session.flight)
        gate.open()
        #expect(try await flight.value().accessToken.unredacted == Backend.jwt(2))
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(2))
        #expect(fixture.refreshes == 1)
    }

    @Test func `case 2: a token that has already been replaced is not refreshed again`() async throws {
        let fixture = try await Fixture.expired()
        let stale = try AccessToken("access-1")
        _ = try await fixture.session.accessToken()
        #expect(try await fixture.session.credential(insteadOf: stale).accessToken.unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `the current token is refreshed if a server rejects it`() async throws {
        let fixture = try await Fixture.signedIn()
        let token = try await fixture.session.accessToken()
        #expect(try await fixture.session.credential(insteadOf: token).accessToken.unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `a token that is valid long enough is not refreshed`() async throws {
        let fixture = try await Fixture.signedIn()
        #expect(try await fixture.session.accessToken(validFor: .seconds(900)).unredacted == "access-1")
        #expect(fixture.refreshes == 0)
    }

    @Test func `a token that is not valid long enough is refreshed`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.session.accessToken(validFor: .seconds(900)).unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `a required validity beyond the server's lifetime throws an error`() async throws {
        let fixture = try await Fixture.signedIn()
        #expect(await code { try await fixture.session.accessToken(validFor: .seconds(901)) } == .lifetimeTooShort)
        #expect(fixture.refreshes == 1)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a token of another process that is not valid long enough is refreshed once more`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.clock.advance(by: .seconds(400))
        try await fixture.otherProcess().refresh()
        fixture.clock.advance(by: .seconds(400))
        #expect(try await fixture.session.accessToken(validFor: .seconds(600)).unredacted == "access-3")
        #expect(fixture.refreshes == 2)
    }

    @Test func `a session that ends while a longer token is requested throws its own error`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "invalid_grant") }
        #expect(await code { try await fixture.session.accessToken(validFor: .seconds(901)) } == .sessionEnded)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a token of a repeated response that is not valid long enough is refreshed once more`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.clock.advance(by: .seconds(1))
        let server = RotatingServer(clock: fixture.clock)
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend, clock = fixture.clock] request in
            _ = try server.refresh(request)
            backend.on(Backend.pairRefresh) { request in
                backend.on(Backend.pairRefresh) { try server.refresh($0) }
                clock.advance(by: .seconds(1))
                return try server.refresh(request)
            }
            return try await Backend.lost(request)
        }
        let waiter = Task { try await fixture.session.accessToken(validFor: .seconds(900)).unredacted }
        while await fixture.session.current?.repeatedAt == nil, !Task.isCancelled { await Task.yield() }
        // The first request may still be in transit, until the server's window is over.
        await fixture.clock.sleepers()
        #expect(server.rotations == 1)
        fixture.clock.advance(by: .seconds(10))
        #expect(try await waiter.value == "access-3")
        #expect(server.reuses == 0)
    }

    @Test(arguments: [0, -1]) func `a token that is over when it comes is used once, by one refresh a call`(
        seconds: Int
    ) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [transport = fixture.transport, clock = fixture.clock] _ in
            clock.advance(by: .seconds(1))
            let number = transport.count(of: Backend.pairRefresh) + 1
            return .json(
                #"{"accessToken": "a-\#(number)", "refreshToken": "r", "tokenType": "Bearer", "expiresIn": \#(seconds)}"#
            )
        }
        let session = fixture.session
        let first = try await session.accessToken()
        #expect(fixture.refreshes == 1)
        // An API refuses it.
        #expect(await code { try await session.credential(insteadOf: first) } == .expiredOnArrival)
        #expect(fixture.refreshes == 1)
        #expect(try await session.accessToken(validFor: .zero) != first)
        #expect(fixture.refreshes == 2)
        let error = try await sessionError { try await session.accessToken(validFor: .seconds(60)) }
        #expect(error.code == .expiredOnArrival)
        #expect(error.description == "The server issues access tokens that have already expired.")
        #expect(fixture.refreshes == 3)
        #expect(session.state == fixture.signedInState)
    }

    @Test(arguments: [false, true]) func `a token that ends while the machine sleeps is refreshed once more`(
        isRefused: Bool
    ) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [transport = fixture.transport, clock = fixture.clock] _ in
            let number = transport.count(of: Backend.pairRefresh)
            if number == 1 { clock.advance(by: .seconds(3)) }
            return .json(
                #"{"accessToken": "a-\#(number)", "refreshToken": "r", "tokenType": "Bearer", "expiresIn": 2}"#
            )
        }
        let session = fixture.session
        if isRefused {
            let first = try await session.accessToken()
            #expect(try await session.credential(insteadOf: first).accessToken.unredacted == "a-2")
        } else {
            #expect(try await session.accessToken(validFor: .seconds(1)).unredacted == "a-2")
        }
        #expect(fixture.refreshes == 2)
    }

    @Test func `a token that is too short-lived for the caller costs one refresh if the call has just got it`()
        async throws
    {
        let fixture = try await Fixture.expired()
        #expect(await code { try await fixture.session.accessToken(validFor: .seconds(901)) } == .lifetimeTooShort)
        #expect(fixture.refreshes == 1)
    }

    @Test func `a refresh sends the refresh token and the API key`() async throws {
        let fixture = try await Fixture.expired()
        _ = try await fixture.session.accessToken()
        let request = try #require(fixture.transport.requests.last)
        #expect(request.head.path == Backend.pairRefresh)
        #expect(try request.members == ["refreshToken": .string("refresh-1")])
        #expect(request.header("X-API-Key") == "key-1")
    }

    @Test func `a session token is exchanged by sending it as a bearer token`() async throws {
        let fixture = try await Fixture.expired(.sessionToken)
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(2))
        let request = try #require(fixture.transport.requests.last)
        #expect(request.head.path == Backend.tokenRefresh)
        #expect(request.header("Authorization") == "Bearer \(Backend.jwt(1))")
        #expect(request.header("X-API-Key") == "key-1")
    }

    @Test func `a request for an access token fails if no user is signed in`() async throws {
        let fixture = try Fixture()
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(fixture.transport.requests.isEmpty)
    }
}
