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
struct KeptSignOutTests {
    /// Returns a fixture whose user signed out while the provider was unreachable; now it is reachable again.
    private func signedOutOffline() async throws -> (ProviderFixture, refreshToken: String) {
        let fixture = try await ProviderFixture.signedIn()
        let token = try #require(await fixture.session.heldTokens?.refreshToken)
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .deferred, storeError: nil))
        return (fixture, token.unredacted)
    }

    @Test(
        arguments: [
            .unreachable(at: .revocation), .dropReply(at: .revocation), .status(503, at: .revocation),
            .status(429, at: .revocation),
        ] as [InProcessProvider.Fault]
    )
    func `where the provider can't be told the session ends here at once, and what is left to do is kept`(
        fault: InProcessProvider.Fault
    ) async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(fault)
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .deferred, storeError: nil))
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
        #expect(try await fixture.keptSignOuts() == 1)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(try await fixture.keptSignOuts() == 1)
    }

    @Test func `the session has ended here while the provider is still being told`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let gate = Gate()
        fixture.provider.inject(.delayReply(at: .revocation) { await gate.pass() })
        let signOut = Task { await fixture.session.signOut() }
        await gate.somebodyWaits()
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

    @Test(arguments: Occasion.allCases) func `the provider is told at the next occasion, once`(
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
                try await fixture.everythingIsTold()
                throw CancellationError()
            }
        case .signOut: await fixture.session.signOut()
        case .signOutElsewhere: await other.signOut()
        }
        try await fixture.everythingIsTold()
        #expect(fixture.revokedTokens == [token])
        #expect(fixture.provider.activeRefreshTokenCount == 0)
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
        await fixture.otherProcess().signOut()
        #expect(fixture.revokedTokens == [token])
    }

    @Test func `the next sign-out that is told tells of the earlier one too`() async throws {
        let (fixture, token) = try await signedOutOffline()
        fixture.provider.inject(.unreachable(at: .revocation))
        let callback = try await fixture.begin()
        while fixture.provider.requests(at: .revocation).count < 2 { await Task.yield() }
        try await fixture.session.completeSignIn(redirectedTo: callback)
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(Set(fixture.revokedTokens).count == 2)
        #expect(fixture.revokedTokens.contains(token))
        #expect(try await fixture.keptSignOuts() == 0)
    }

    /// At some providers the old grant and the new one are the same.
    @Test func `a person who is signed in again is not signed out by what is left of before`() async throws {
        let (fixture, token) = try await signedOutOffline()
        fixture.provider.inject(.unreachable(at: .revocation))
        let callback = try await fixture.begin()
        while fixture.provider.requests(at: .revocation).count < 2 { await Task.yield() }
        try await fixture.session.completeSignIn(redirectedTo: callback)
        let relaunched = fixture.otherProcess()
        await relaunched.restore()
        await settle()
        #expect(fixture.revokedTokens.isEmpty)
        #expect(try await fixture.keptSignOuts() == 1)
        fixture.provider.user = InProcessProvider.User(subject: "another")
        try await fixture.signIn(in: relaunched)
        await relaunched.signOut()
        try await fixture.everythingIsTold()
        #expect(fixture.revokedTokens.contains(token))
    }

    @Test func `what can't be told again is kept on`() async throws {
        let (fixture, token) = try await signedOutOffline()
        fixture.provider.inject(.status(503, at: .revocation))
        await fixture.otherProcess().signOut()
        #expect(try await fixture.keptSignOuts() == 1)
        #expect(fixture.revokedTokens.isEmpty)
        await fixture.otherProcess().signOut()
        #expect(try await fixture.keptSignOuts() == 0)
        #expect(fixture.revokedTokens == [token])
    }

    @Test func `what is refused later is given up`() async throws {
        let (fixture, _) = try await signedOutOffline()
        fixture.provider.inject(.error("unsupported_token_type", at: .revocation))
        await fixture.otherProcess().signOut()
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
        #expect(fixture.revokedTokens.isEmpty)
    }

    @Test func `the last eight are kept`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(.unreachable(at: .revocation), times: .max)
        var tokens: [String] = []
        for _ in 0..<9 {
            try await fixture.signIn()
            tokens.append(try #require(await fixture.session.heldTokens?.refreshToken).unredacted)
            #expect(await fixture.session.signOut().revocation == .deferred)
        }
        #expect(try await fixture.keptSignOuts() == 8)
        await settle()
        fixture.provider.clearFaults()
        await fixture.otherProcess().signOut()
        #expect(Set(fixture.revokedTokens) == Set(tokens.dropFirst()))
    }

    @Test func `of two processes that keep one at once neither is lost`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let grant = EndedGrant(try await fixture.storedRecord(), endedAt: fixture.clock.date)
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let keeping = [fixture.session, fixture.otherProcess()].map { session in
            Task { await session.keepEnded(grant) }
        }
        await gate.somebodyWaits()
        await settle()
        gate.open()
        for task in keeping { #expect(await task.value) }
        #expect(try await fixture.keptSignOuts() == 2)
    }

    @Test func `where the store can't keep it either it is said that nobody was told`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(.unreachable(at: .revocation))
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        let result = await fixture.session.signOut()
        #expect(result.revocation == .failed)
        #expect(result.storeError?.code == .full)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `nothing of the person is kept but the provider's name for them, and no ID token`() async throws {
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
        for gone in [idToken, record.tokens.accessToken.unredacted, "Jane", "janedoe"] {
            #expect(!kept.contains(gone))
        }
    }

    @Test func `after ninety days it is given up`() async throws {
        let (fixture, _) = try await signedOutOffline()
        fixture.clock.advance(by: .seconds(90 * 86_400 + 1))
        await fixture.otherProcess().signOut()
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
        #expect(fixture.revokedTokens.isEmpty)
    }

    @Test func `what a newer version has written is left to it`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let newer = SecretBytes(Array(#"{"version":9}"#.utf8))
        try await fixture.store.setItem(newer, forKey: PendingRevocations.key)
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut().revocation == .failed)
        #expect(try await fixture.stored(PendingRevocations.key) == newer)
    }

    @Test(arguments: ["", "[]", "{}", #"{"version":1,"grants":["AAAA"]}"#])
    func `what can't be read of it stands in nobody's way`(text: String) async throws {
        let fixture = try await ProviderFixture.signedIn()
        try await fixture.store.setItem(SecretBytes(Array(text.utf8)), forKey: PendingRevocations.key)
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut().revocation == .deferred)
        await fixture.otherProcess().signOut()
        #expect(fixture.revokedTokens.count == 1)
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    @Test func `who opens a store that holds no session tells of the last one too`() async throws {
        let (fixture, token) = try await signedOutOffline()
        #expect(try await AuthSession.stored(in: fixture.store, of: [.openID], transport: fixture.provider) == nil)
        #expect(fixture.revokedTokens == [token])
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    /// A command-line tool signs in like this: without restoring the stored session.
    @Test func `a session of the same person in the store is not signed out by what is left of before`() async throws {
        let (fixture, _) = try await signedOutOffline()
        let other = fixture.otherProcess()
        fixture.provider.inject(.unreachable(at: .revocation))
        try await fixture.signIn(in: other)
        let tool = fixture.otherProcess()
        _ = try await fixture.begin(in: tool)
        await settle()
        #expect(fixture.revokedTokens.isEmpty)
        #expect(try await fixture.keptSignOuts() == 1)
        try await other.refresh()
    }

    @Test func `where the store can't say who is signed in, it waits`() async throws {
        let (fixture, _) = try await signedOutOffline()
        try await fixture.store.setItem(SecretBytes([1, 2, 3]), forKey: SessionRecord.key)
        await fixture.otherProcess().revokeEndedSessions()
        #expect(fixture.revokedTokens.isEmpty)
        #expect(try await fixture.keptSignOuts() == 1)
    }

    @Test func `no revocation is on its way while a sign-in asks for tokens`() async throws {
        let (fixture, _) = try await signedOutOffline()
        let asked = Event()
        let process = fixture.otherProcess()
        fixture.provider.inject(.unreachable(at: .revocation))
        let callback = try await fixture.begin(in: process)
        fixture.provider.inject(
            .delayReply(at: .revocation) {
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

    @Test func `a sign-in waits five seconds for it at most, and leaves at once when it is cancelled`() async throws {
        let (fixture, _) = try await signedOutOffline()
        let asked = Event()
        fixture.provider.inject(
            .delayReply(at: .revocation) {
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
