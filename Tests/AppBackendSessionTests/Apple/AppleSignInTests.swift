// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct AppleSignInTests {
    @Test func `Apple receives the hash of the raw nonce that the backend receives`() async throws {
        let fixture = try Fixture(.sessionToken)
        let attempt = AppleSignInAttempt()
        let hashed = attempt.hashedNonce
        let nonce = attempt.nonce
        try await fixture.session.signIn(with: Fixture.credential(), for: attempt)
        let members = try #require(try fixture.transport.requests.first?.members)
        #expect(members["nonce"] == .string(nonce.unredacted))
        #expect(members["nonce"] != .string(hashed))
        #expect(hashed == nonce.sha256)
        #expect(hashed.utf8.count == 64)
        #expect(members["identity_token"] == .string("aaa.bbb.ccc"))
    }

    @Test func `values that Apple omits are absent from the request`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let members = try #require(try fixture.transport.requests.first?.members)
        #expect(Set(members.keys) == ["identity_token", "nonce"])
    }

    @Test func `values that Apple provides are sent to the backend`() async throws {
        let fixture = try Fixture(.sessionToken)
        let credential = AppleCredential(
            identityToken: try IDToken("aaa.bbb.ccc"),
            userIdentifier: "001",
            email: "ada@example.org",
            name: "Ada"
        )
        try await fixture.session.signIn(with: credential, for: AppleSignInAttempt())
        let members = try #require(try fixture.transport.requests.first?.members)
        #expect(members["userIdentifier"] == .string("001"))
        #expect(members["email"] == .string("ada@example.org"))
        #expect(members["name"] == .string("Ada"))
    }

    @Test func `two attempts have different nonces`() {
        let first = AppleSignInAttempt()
        let second = AppleSignInAttempt()
        let hashes = [first.hashedNonce, second.hashedNonce]
        #expect(hashes[0] != hashes[1])
    }

    @Test func `a role conflict shows the server's message, and the user stays signed out`() async throws {
        let fixture = try Fixture(.sessionToken)
        let sentence = "This account is registered as a customer. Contact support to become a driver."
        fixture.backend.on(Backend.apple) { _ in Backend.failure(409, code: "role_conflict", message: sentence) }
        let error = try await sessionError { try await fixture.signIn() }
        #expect(error.code == .signInRefused)
        #expect(error.serverCode?.rawValue == "role_conflict")
        #expect(RefusalSentence.text(for: error) == sentence)
        #expect(try await fixture.stored() == nil)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
    }

    @Test func `the lifetime is the token's own duration, independent of its dates and this clock`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let lifetime = try #require(fixture.session.accessTokenLifetime)
        #expect(lifetime.issuedAt == fixture.clock.date)
        #expect(lifetime.expiresAt == fixture.clock.date.addingTimeInterval(30 * 86_400))
    }

    @Test func `a renewed token lives for 30 days from its refresh`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.clock.advance(by: .seconds(29 * 86_400 + 3_600))
        try await fixture.session.refresh()
        let lifetime = try #require(fixture.session.accessTokenLifetime)
        #expect(lifetime.issuedAt == fixture.clock.date)
        #expect(lifetime.expiresAt == fixture.clock.date.addingTimeInterval(30 * 86_400))
    }

    @Test(arguments: [true, false]) func `a concurrent validation does not hide the result of the sign-in's write`(
        isWritten: Bool
    ) async throws {
        let fixture = try Fixture(.sessionToken)
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let attempt = Task { try await fixture.signIn() }
        await gate.waitForArrival()
        fixture.backend.on(Backend.validate) { _ in
            .json(#"{"success": true, "user": {"id": "u1", "name": "Ada King", "role": "customer"}}"#)
        }
        await fixture.session.validate()
        if !isWritten { fixture.store.faults.failWrites(with: SecureStoreError(.full)) }
        gate.open()
        _ = try await attempt.value
        #expect(await fixture.session.persistenceError?.code == (isWritten ? nil : .full))
        #expect(await fixture.session.isStored == isWritten)
        fixture.store.faults.failWrites(with: nil)
        try await fixture.session.flush()
        #expect(await fixture.session.isStored)
        #expect(try await fixture.stored() != nil)
    }

    @Test func `an opaque session token has no expiry date and is not refreshed`() async throws {
        let fixture = try Fixture(.sessionToken)
        fixture.backend.on(Backend.apple) { _ in .json(#"{"token": "opaque", "user": {"id": "u1"}}"#) }
        try await fixture.signIn()
        fixture.clock.advance(by: .seconds(400 * 86_400))
        #expect(try await fixture.session.accessToken().unredacted == "opaque")
        #expect(fixture.refreshes == 0)
    }

    @Test func `a sign-in with Apple fails for the token-pair contract`() async throws {
        let session = try Fixture(.tokenPair).session
        let result = await code {
            try await session.signIn(with: Fixture.credential(), for: AppleSignInAttempt())
        }
        #expect(result == .contractMismatch)
    }
}
