// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import Testing

@testable import AuthSession

/// Work that a process waits for before it ends.
@Suite(.timeLimit(.minutes(5)))
struct FlushTests {
    @Test func `flush waits for a sign-in that is being written`() async throws {
        let fixture = try Fixture()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let signIn = Task { try await fixture.signIn() }
        await gate.waitForArrival()
        let saved = Event()
        let flushing = Task {
            try await fixture.session.flush()
            #expect(try await fixture.stored() != nil)
            saved.happen()
        }
        await settle()
        #expect(try await fixture.stored() == nil)
        gate.open()
        await saved.wait()
        try await flushing.value
        _ = try await signIn.value
    }
}
