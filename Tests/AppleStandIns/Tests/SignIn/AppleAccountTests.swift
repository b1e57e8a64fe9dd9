// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthTesting
import AuthUI
import AuthenticationServices
import Foundation
import SecureStore
import Testing

@testable import AuthSession

/// The state of a user's Apple Account; serialized, as there is one device.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AppleAccountTests {
    private let user = "001.\(UUID().uuidString)"

    /// Returns a fixture whose user has signed in with Apple.
    private func signedIn() async throws -> Fixture {
        var options = SessionOptions.still
        options.appleCredentialState = { try await AppleCredentialState.current(of: $0) }
        let fixture = try Fixture(.sessionToken, options: options)
        let credential = AppleCredential(identityToken: try IDToken("aaa.bbb.ccc"), userIdentifier: user)
        try await fixture.session.signIn(with: credential, for: AppleSignInAttempt())
        return fixture
    }

    @Test(arguments: [
        (ASAuthorizationAppleIDProvider.CredentialState.authorized, AppleCredentialState.authorized),
        (.revoked, .revoked),
        (.notFound, .notFound),
        (.transferred, .transferred),
    ])
    func `each state of the system has its case`(
        state: ASAuthorizationAppleIDProvider.CredentialState,
        expected: AppleCredentialState
    ) async throws {
        StandInAppleAccounts.set(state, of: user)
        #expect(try await AppleCredentialState.current(of: user) == expected)
    }

    @Test func `a revoked account signs out behind the next restore`() async throws {
        let fixture = try await signedIn()
        StandInAppleAccounts.set(.revoked, of: user)
        let session = try fixture.otherProcess()
        await session.restore()
        for await state in session.states { if case .signedOut = state { break } }
        #expect(session.state == .signedOut(.appleIDRevoked))
    }

    @Test func `an account that the system tells nothing about signs out nobody`() async throws {
        let fixture = try await signedIn()
        StandInAppleAccounts.set(nil, of: user)
        #expect(await fixture.session.checkAppleCredential() == nil)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `the system's notification signs out at once, until the task is cancelled`() async throws {
        let fixture = try await signedIn()
        StandInAppleAccounts.set(.revoked, of: user)
        let session = fixture.session
        let watching = Task { await session.checkAppleCredentialOnRevocation() }
        let name = ASAuthorizationAppleIDProvider.credentialRevokedNotification
        while session.state == fixture.signedInState {
            // The task may not observe yet.
            NotificationCenter.default.post(name: name, object: nil)
            await Task.yield()
        }
        #expect(session.state == .signedOut(.appleIDRevoked))
        watching.cancel()
        await watching.value
    }
}
