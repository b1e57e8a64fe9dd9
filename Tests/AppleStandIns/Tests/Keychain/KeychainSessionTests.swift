// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Security
import Testing

@testable import AuthSession

extension KeychainTests {
    /// A session in the keychain.
    @Suite struct KeychainSessionTests {
        private func session(_ store: KeychainStore, _ clock: TestClock, reconnectsAutomatically: Bool) throws
            -> AuthSession
        {
            let backend = Backend()
            var options = SessionOptions.still
            options.reconnectsAutomatically = reconnectsAutomatically
            return AuthSession(
                backend: try Fixture.sessionBackend(),
                store: store,
                transport: ScriptedTransport { try await backend.response(to: $0) },
                now: { clock.date },
                clock: clock,
                options: options
            )
        }

        @Test func `a session is locked before the first unlock, and the user is signed in again afterwards`()
            async throws
        {
            let fixture = try KeychainFixture()
            let clock = TestClock()
            let before = try session(fixture.store, clock, reconnectsAutomatically: false)
            let user = try await before.signIn(
                email: "ada@example.org",
                password: Password("hunter2"),
                device: Fixture.device
            )
            #expect(user != nil)
            fixture.keychain.setDevice(.neverUnlocked)
            let session = try session(fixture.store, clock, reconnectsAutomatically: true)
            await session.restore(validating: false)
            #expect(session.state == .locked(SecureStoreError(.locked)))
            // By its own retry, without a call by the app.
            await clock.sleepers()
            fixture.keychain.setDevice(.locked)
            clock.advance(by: .seconds(15))
            for await state in session.states where !state.awaitsReconnect { break }
            #expect(session.state == .signedIn(user, .online))
        }
    }
}
