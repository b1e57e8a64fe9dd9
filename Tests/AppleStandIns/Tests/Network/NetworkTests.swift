// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthSession
import AuthTesting
import AuthUI
import Network
import Testing

/// The system's network reports; serialized, as there is one network.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NetworkTests {
    @Test func `an offline session reconnects when the network returns, until the task is cancelled`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in Backend.failure(503, code: "down", message: "Down.") }
        StandInNetwork.change(to: .unsatisfied)
        await fixture.session.validate()
        #expect(fixture.isOffline)
        let following = Task { await fixture.session.reconnectOnNetworkChange() }
        while StandInNetwork.monitorCount == 0 { await Task.yield() }
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": {"id": "u1"}}"#) }
        StandInNetwork.change(to: .satisfied)
        for await state in fixture.session.states {
            if case .signedIn(_, .online) = state { break }
        }
        following.cancel()
        await following.value
        #expect(StandInNetwork.monitorCount == 0)
    }
}
