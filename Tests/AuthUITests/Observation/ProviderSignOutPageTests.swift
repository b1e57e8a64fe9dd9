// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import AuthUI
@testable import OpenIDSession
@testable import OpenIDSessionTests

/// A sign-out from the screens that also shows the provider's page.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ProviderSignOutPageTests {
    /// Returns a manager whose sign-out shows the provider's page, which the user closes.
    private func manager(of fixture: ProviderFixture, pageOpenUntil gate: Gate) -> AuthenticationManager {
        AuthenticationManager(
            session: fixture.session,
            signingOut: { session in
                await session.signOut(redirectURI: nil) { _ in
                    await gate.pass()
                    throw OpenIDError(.authorization, .cancelled)
                }.result
            }
        )
    }

    @Test func `the screens show the sign-out while the provider's page is open, and a closed page changes nothing`()
        async throws
    {
        let fixture = try await ProviderFixture.signedIn()
        let gate = Gate()
        let manager = manager(of: fixture, pageOpenUntil: gate)
        await manager.restore()
        let signOut = Task { await manager.signOut() }
        await gate.waitForArrival()
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        while manager.isAuthenticated { await Task.yield() }
        #expect(!manager.isLoading)
        gate.open()
        await signOut.value
        #expect(manager.state == .signedOut(.userSignedOut))
        #expect(manager.errorMessage == nil)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a user who signs in while the provider's page is open does not wait for it`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let gate = Gate()
        let manager = manager(of: fixture, pageOpenUntil: gate)
        await manager.restore()
        let signOut = Task { await manager.signOut() }
        await gate.waitForArrival()
        while manager.isAuthenticated { await Task.yield() }
        try await fixture.signIn()
        while !manager.isAuthenticated { await Task.yield() }
        #expect(!manager.isLoading)
        gate.open()
        await signOut.value
        #expect(manager.isAuthenticated)
    }
}
