// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// Revocations that could not reach the provider and are sent later.
@Suite(.timeLimit(.minutes(5)))
struct PendingRevocationTests {
    /// Returns a fixture whose user signed out while the provider was unreachable; now it is reachable again.
    private func signedOutOffline() async throws -> (ProviderFixture, refreshToken: String) {
        let fixture = try await ProviderFixture.signedIn()
        let token = try #require(await fixture.session.inMemoryTokens?.refreshToken)
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .deferred, storeError: nil))
        return (fixture, token.unredacted)
    }

    @Test(
        arguments: [
            .unreachable(at: .revocation), .dropResponse(at: .revocation), .status(503, at: .revocation),
            .status(429, at: .revocation),
        ] as [InProcessProvider.Fault]
    )
    func `a sign-out ends the session at once and stores the revocation if the provider is unavailable`(
        fault: InProcessProvider.Fault
    ) async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(fault)
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .deferred, storeError: nil))
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
        #expect(try await fixture.pendingRevocationCount() == 1)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(try await fixture.pendingRevocationCount() == 1)
    }

    @Test func `the local session ends while the revocation is still in flight`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .revocation) { await gate.pass() })
        let signOut = Task { await fixture.session.signOut() }
        await gate.waitForArrival()
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
        gate.open()
        #expect(await signOut.value.revocation == .revoked)
    }

    /// An occasion at which pending revocations are sent.
    enum Occasion: CaseIterable {
        case restore
        case signIn
        case signInElsewhere
        case deviceSignIn
        case signOut
        case signOutElsewhere
    }

    @Test(arguments: Occasion.allCases) func `a pending revocation is sent once, at the next occasion`(
        occasion: Occasion
    ) async throws {
        let (fixture, token) = try await signedOutOffline()
        let other = fixture.otherProcess()
        switch occasion {
        case .restore: await other.restore()
        case .signIn: _ = try await fixture.begin()
        case .signInElsewhere: _ = try await fixture.begin(in: other)
        case .deviceSignIn:
            _ = try? await other.signInWithDeviceCode { _ in
                try await fixture.waitForRevocations()
                throw CancellationError()
            }
        case .signOut: await fixture.session.signOut()
        case .signOutElsewhere: await other.signOut()
        }
        try await fixture.waitForRevocations()
        #expect(fixture.revokedTokens == [token])
        #expect(fixture.provider.activeRefreshTokenCount == 0)
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
        await fixture.otherProcess().signOut()
        #expect(fixture.revokedTokens == [token])
    }

    @Test func `the next successful sign-out sends the earlier revocation too`() async throws {
        let (fixture, token) = try await signedOutOffline()
        fixture.provider.inject(.unreachable(at: .revocation))
        let callback = try await fixture.begin()
        while fixture.provider.requests(at: .revocation).count < 2 { await Task.yield() }
        try await fixture.session.completeSignIn(redirectedTo: callback)
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(Set(fixture.revokedTokens).count == 2)
        #expect(fixture.revokedTokens.contains(token))
        #expect(try await fixture.pendingRevocationCount() == 0)
    }

    /// At some providers the old grant and the new one are the same.
    @Test func `a pending revocation is not sent while the same user is signed in again`() async throws {
        let (fixture, token) = try await signedOutOffline()
        fixture.provider.inject(.unreachable(at: .revocation))
        let callback = try await fixture.begin()
        while fixture.provider.requests(at: .revocation).count < 2 { await Task.yield() }
        try await fixture.session.completeSignIn(redirectedTo: callback)
        let relaunched = fixture.otherProcess()
        await relaunched.restore()
        await settle()
        #expect(fixture.revokedTokens.isEmpty)
        #expect(try await fixture.pendingRevocationCount() == 1)
        fixture.provider.user = InProcessProvider.User(subject: "another")
        try await fixture.signIn(in: relaunched)
        await relaunched.signOut()
        try await fixture.waitForRevocations()
        #expect(fixture.revokedTokens.contains(token))
    }

    @Test func `a pending revocation that fails again stays stored`() async throws {
        let (fixture, token) = try await signedOutOffline()
        fixture.provider.inject(.status(503, at: .revocation))
        await fixture.otherProcess().signOut()
        #expect(try await fixture.pendingRevocationCount() == 1)
        #expect(fixture.revokedTokens.isEmpty)
        await fixture.otherProcess().signOut()
        #expect(try await fixture.pendingRevocationCount() == 0)
        #expect(fixture.revokedTokens == [token])
    }

    @Test func `a pending revocation that the provider rejects is dropped`() async throws {
        let (fixture, _) = try await signedOutOffline()
        fixture.provider.inject(.error("unsupported_token_type", at: .revocation))
        await fixture.otherProcess().signOut()
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
        #expect(fixture.revokedTokens.isEmpty)
    }

    @Test func `only the last eight pending revocations are stored`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(.unreachable(at: .revocation), times: .max)
        var tokens: [String] = []
        for _ in 0..<9 {
            try await fixture.signIn()
            tokens.append(try #require(await fixture.session.inMemoryTokens?.refreshToken).unredacted)
            #expect(await fixture.session.signOut().revocation == .deferred)
        }
        #expect(try await fixture.pendingRevocationCount() == 8)
        await settle()
        fixture.provider.clearFaults()
        await fixture.otherProcess().signOut()
        #expect(Set(fixture.revokedTokens) == Set(tokens.dropFirst()))
    }

    @Test func `two processes can store pending revocations at the same time without losing one`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let grant = EndedGrant(try await fixture.storedRecord(), endedAt: fixture.clock.date)
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let keeping = [fixture.session, fixture.otherProcess()].map { session in
            Task { await session.enqueueRevocation(grant) }
        }
        await gate.waitForArrival()
        await settle()
        gate.open()
        for task in keeping { #expect(await task.value) }
        #expect(try await fixture.pendingRevocationCount() == 2)
    }

    @Test func `a sign-out reports failed if the pending revocation can't be stored`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(.unreachable(at: .revocation))
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        let result = await fixture.session.signOut()
        #expect(result.revocation == .failed)
        #expect(result.storeError?.code == .full)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `a pending revocation contains no ID token, no access token and no user name`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        _ = try await fixture.session.userInfo()
        let record = try await fixture.storedRecord()
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut().revocation == .deferred)
        let kept = String(
            decoding: try #require(await fixture.stored(PendingRevocations.key)).unredacted,
            as: UTF8.self
        )
        #expect(kept.contains(try #require(record.tokens.refreshToken).unredacted))
        let idToken = try #require(record.tokens.idToken).unredacted
        for secret in [idToken, record.tokens.accessToken.unredacted, "Jane", "janedoe"] {
            #expect(!kept.contains(secret))
        }
    }

    @Test func `a pending revocation is dropped after ninety days`() async throws {
        let (fixture, _) = try await signedOutOffline()
        fixture.clock.advance(by: .seconds(90 * 86_400 + 1))
        await fixture.otherProcess().signOut()
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
        #expect(fixture.revokedTokens.isEmpty)
    }

    @Test func `pending revocations of a newer version are not overwritten`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let newer = SecretBytes(Array(#"{"version":9}"#.utf8))
        try await fixture.store.setItem(newer, forKey: PendingRevocations.key)
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut().revocation == .failed)
        #expect(try await fixture.stored(PendingRevocations.key) == newer)
    }

    @Test(arguments: ["", "[]", "{}", #"{"version":1,"grants":["AAAA"]}"#])
    func `unreadable pending revocations do not block later ones`(text: String) async throws {
        let fixture = try await ProviderFixture.signedIn()
        try await fixture.store.setItem(SecretBytes(Array(text.utf8)), forKey: PendingRevocations.key)
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut().revocation == .deferred)
        await fixture.otherProcess().signOut()
        #expect(fixture.revokedTokens.count == 1)
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    @Test func `opening a store without a session sends the pending revocation too`() async throws {
        let (fixture, token) = try await signedOutOffline()
        #expect(try await AuthSession.stored(in: fixture.store, of: [.openID], transport: fixture.provider) == nil)
        #expect(fixture.revokedTokens == [token])
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    // MARK: Earlier sessions at another client

    @Test func `a session at another client revokes them too`() async throws {
        let (fixture, token) = try await signedOutOffline()
        let other = try await fixture.otherProcess(at: fixture.provider, as: .public(id: "another"))
        await other.revokeEndedSessions()
        #expect(fixture.revokedTokens == [token])
        #expect(fixture.provider.requests(at: .revocation).last?.formValue("client_id") == "native")
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    @Test func `those of a client with a private key wait for a kind that brings the key`() async throws {
        var configuration = InProcessProvider.Configuration()
        let redirectURIs = [ProviderFixture.redirectURI]
        configuration.clients = [
            .confidential(id: "keyed", publicKey: IdentityIssuer.publicKey, redirectURIs: redirectURIs)
        ]
        let key = try ClientAssertionKey(pem: IdentityIssuer.privateKey)
        let client = OpenIDClient.confidential(id: "keyed", key: key)
        let fixture = try await ProviderFixture(configuration, client: client)
        try await fixture.signIn()
        let token = try #require(await fixture.session.inMemoryTokens?.refreshToken).unredacted
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut().revocation == .deferred)

        let other = try await fixture.otherProcess(at: fixture.provider, as: .public(id: "another"))
        await other.revokeEndedSessions()
        #expect(fixture.revokedTokens.isEmpty)
        #expect(try await fixture.pendingRevocationCount() == 1)

        let kind = AuthorityKind.openID { $0.client.id == "keyed" ? $0.with(client) : $0 }
        let session = AuthSession(
            backend: SessionBackend(other.authority, revokingAt: [kind]),
            store: fixture.store,
            transport: fixture.provider,
            now: { fixture.clock.date },
            clock: fixture.clock
        )
        await session.revokeEndedSessions()
        #expect(fixture.revokedTokens == [token])
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    /// A command-line tool signs in like this: without restoring the stored session.
    @Test func `a pending revocation is not sent while the store holds a session of the same user`() async throws {
        let (fixture, _) = try await signedOutOffline()
        let other = fixture.otherProcess()
        fixture.provider.inject(.unreachable(at: .revocation))
        try await fixture.signIn(in: other)
        let tool = fixture.otherProcess()
        _ = try await fixture.begin(in: tool)
        await settle()
        #expect(fixture.revokedTokens.isEmpty)
        #expect(try await fixture.pendingRevocationCount() == 1)
        try await other.refresh()
    }

    @Test func `a pending revocation waits if the stored session can't be read`() async throws {
        let (fixture, _) = try await signedOutOffline()
        try await fixture.store.setItem(SecretBytes([1, 2, 3]), forKey: SessionRecord.key)
        await fixture.otherProcess().revokeEndedSessions()
        #expect(fixture.revokedTokens.isEmpty)
        #expect(try await fixture.pendingRevocationCount() == 1)
    }

    @Test func `no revocation is in flight while a sign-in requests tokens`() async throws {
        let (fixture, _) = try await signedOutOffline()
        let asked = Event()
        let process = fixture.otherProcess()
        fixture.provider.inject(.unreachable(at: .revocation))
        let callback = try await fixture.begin(in: process)
        fixture.provider.inject(
            .delayResponse(at: .revocation) {
                asked.happen()
                try await waitForCancellation()
            }
        )
        await process.restore()
        await asked.wait()
        try await process.completeSignIn(redirectedTo: callback)
        #expect(process.state == fixture.signedInState)
        try await process.refresh()
        #expect(await process.revocationFlush == nil)
    }

    @Test func `a sign-in waits at most five seconds for a revocation, and ends at once if it is cancelled`()
        async throws
    {
        let (fixture, _) = try await signedOutOffline()
        let asked = Event()
        fixture.provider.inject(
            .delayResponse(at: .revocation) {
                asked.happen()
                try await waitForCancellation()
            },
            times: 2
        )
        let cancelled = Task { try await fixture.begin() }
        await asked.wait()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let signIn = Task { try await fixture.begin() }
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(5))
        _ = try await signIn.value
    }
}
