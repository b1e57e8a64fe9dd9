import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession

/// Sign-outs that the provider could not be told of, and is told of later.
@Suite(.timeLimit(.minutes(5)))
struct KeptSignOutTests {
    /// Somebody who signed out where the provider can't be reached; then it can be again.
    private func signedOutOffline() async throws -> (ProviderFixture, refreshToken: String) {
        let fixture = try await ProviderFixture.signedIn()
        let token = try #require(await fixture.session.heldTokens?.refreshToken)
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut() == SignOutResult(server: .toldLater, storeError: nil))
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
        #expect(await fixture.session.signOut() == SignOutResult(server: .toldLater, storeError: nil))
        #expect(fixture.session.state == .signedOut(.signedOutByPerson))
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
        #expect(fixture.session.state == .signedOut(.signedOutByPerson))
        #expect(try await fixture.stored() == nil)
        gate.open()
        #expect(await signOut.value.server == .told)
    }

    /// What brings it back to mind.
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
            _ = try? await other.signInOnAnotherDevice { _ in
                try await fixture.everythingIsTold()
                throw CancellationError()
            }
        case .signOut: await fixture.session.signOut()
        case .signOutElsewhere: await other.signOut()
        }
        try await fixture.everythingIsTold()
        #expect(fixture.revokedTokens == [token])
        #expect(fixture.provider.activeRefreshTokenCount == 0)
        #expect(try await fixture.stored(EndedSessions.key) == nil)
        await fixture.otherProcess().signOut()
        #expect(fixture.revokedTokens == [token])
    }

    @Test func `the next sign-out that is told tells of the earlier one too`() async throws {
        let (fixture, token) = try await signedOutOffline()
        fixture.provider.inject(.unreachable(at: .revocation))
        let callback = try await fixture.begin()
        while fixture.provider.requests(at: .revocation).count < 2 { await Task.yield() }
        try await fixture.session.completeSignIn(redirectedTo: callback)
        #expect(await fixture.session.signOut().server == .told)
        #expect(Set(fixture.revokedTokens).count == 2)
        #expect(fixture.revokedTokens.contains(token))
        #expect(try await fixture.keptSignOuts() == 0)
    }

    /// At some providers the old grant is the new one, too.
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
        fixture.provider.person = InProcessProvider.Person(subject: "another")
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
        #expect(try await fixture.stored(EndedSessions.key) == nil)
        #expect(fixture.revokedTokens.isEmpty)
    }

    @Test func `the last eight are kept`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(.unreachable(at: .revocation), times: .max)
        var tokens: [String] = []
        for _ in 0..<9 {
            try await fixture.signIn()
            tokens.append(try #require(await fixture.session.heldTokens?.refreshToken).unredacted)
            #expect(await fixture.session.signOut().server == .toldLater)
        }
        #expect(try await fixture.keptSignOuts() == 8)
        await settle()
        fixture.provider.clearFaults()
        await fixture.otherProcess().signOut()
        #expect(fixture.revokedTokens == Array(tokens.dropFirst()))
    }

    @Test func `of two processes that keep one at once neither is lost`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let record = try await fixture.storedRecord()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let keeping = [fixture.session, fixture.otherProcess()].map { session in
            Task { await session.keepEnded(record) }
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
        #expect(result.server == .notTold)
        #expect(result.storeError?.code == .full)
        #expect(fixture.session.state == .signedOut(.signedOutByPerson))
    }

    @Test(arguments: ["", "[]", "{}", #"{"version":9,"records":[]}"#, #"{"version":1,"records":["AAAA"]}"#])
    func `what can't be read of it stands in nobody's way`(text: String) async throws {
        let fixture = try await ProviderFixture.signedIn()
        try await fixture.store.setItem(SecretBytes(Array(text.utf8)), forKey: EndedSessions.key)
        fixture.provider.inject(.unreachable(at: .revocation))
        #expect(await fixture.session.signOut().server == .toldLater)
        await fixture.otherProcess().signOut()
        #expect(fixture.revokedTokens.count == 1)
        #expect(try await fixture.stored(EndedSessions.key) == nil)
    }
}
