// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

/// Cases 21 and 24: the content of the response, and the background assertion until it is stored.
@Suite struct RefreshResponseTests {
    @Test func `case 21: a narrower scope is reported until it is granted again, also after the next launch`()
        async throws
    {
        let fixture = try await Fixture.expired()
        #expect(await fixture.session.missingScope == nil)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2, scope: "openid") }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(await fixture.session.missingScope == "email profile")

        let next = try fixture.otherProcess()
        await next.restore(validating: false)
        #expect(await next.missingScope == "email profile")
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(3, scope: "openid profile") }
        try await next.refresh()
        #expect(await next.missingScope == "email")
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(4, scope: "profile email openid") }
        try await next.refresh()
        #expect(await next.missingScope == nil)
    }

    /// A background activity that records its begin and its end.
    private final class RecordedAssertion: BackgroundAssertion {
        let events = Mutex<[String]>([])

        func note(_ event: String) { events.withLock { $0.append(event) } }

        func perform(_ reason: String, _ work: () async -> Void) async {
            note("begun")
            await work()
            note("ended")
        }
    }

    @Test
    func `case 24: a background assertion is held from before the refresh until its tokens are stored`() async throws {
        let fixture = try await Fixture.expired()
        let assertion = RecordedAssertion()
        let session = AuthSession(
            backend: fixture.session.backend,
            store: fixture.store,
            transport: fixture.transport,
            now: { [clock = fixture.clock] in clock.date },
            clock: fixture.clock,
            background: assertion
        )
        fixture.backend.on(Backend.pairRefresh) { _ in
            assertion.note("sent")
            return Backend.pair(2)
        }
        #expect(try await session.accessToken().unredacted == "access-2")
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-2")
        while assertion.events.withLock({ $0.count }) < 3 { await Task.yield() }
        #expect(assertion.events.withLock { $0 } == ["begun", "sent", "ended"])
    }
}
