// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthTesting
import HTTPTypes
import Testing

@testable import AuthSession

/// The retries when the network returns.
@Suite(.timeLimit(.minutes(5))) struct ReachabilityTests {
    @Test func `an offline session reconnects when the network returns, and not before`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in Backend.failure(503, code: "down", message: "Down.") }
        await fixture.session.validate()
        #expect(fixture.isOffline)
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": {"id": "u1"}}"#) }
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
        let before = fixture.transport.count(of: Backend.validate)
        changed.yield(false)
        changed.yield(false)
        changed.yield(true)
        changed.finish()
        await fixture.session.reconnect(on: changes)
        #expect(fixture.transport.count(of: Backend.validate) == before + 1)
        #expect(!fixture.isOffline)
    }

    @Test func `a burst of network changes causes one validation at once and one two seconds later`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in Backend.failure(503, code: "down", message: "Down.") }
        await fixture.session.validate()
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
        let following = Task { await fixture.session.reconnect(on: changes) }
        changed.yield(true)
        while fixture.transport.count(of: Backend.validate) < 2 { await Task.yield() }
        for _ in 0..<50 { changed.yield(true) }
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .milliseconds(1_999))
        await settle()
        #expect(fixture.transport.count(of: Backend.validate) == 2)
        fixture.clock.advance(by: .milliseconds(1))
        while fixture.transport.count(of: Backend.validate) < 3 { await Task.yield() }
        following.cancel()
        await following.value
        #expect(fixture.transport.count(of: Backend.validate) == 3)
    }

    @Test func `a network change does not cause a validation before Retry-After has passed`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in .json("{}", status: 503, headers: [.retryAfter: "60"]) }
        await fixture.session.validate()
        func reportNetworkReturn() async {
            let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
            changed.yield(true)
            changed.finish()
            await fixture.session.reconnect(on: changes)
        }
        await reportNetworkReturn()
        #expect(fixture.transport.count(of: Backend.validate) == 1)
        fixture.clock.advance(by: .seconds(60))
        await reportNetworkReturn()
        #expect(fixture.transport.count(of: Backend.validate) == 2)
    }

    @Test func `a network change does not cause a validation if the session is online`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self)
        changed.yield(true)
        changed.yield(true)
        changed.finish()
        await fixture.session.reconnect(on: changes)
        #expect(fixture.transport.count(of: Backend.validate) == 0)
    }
}
