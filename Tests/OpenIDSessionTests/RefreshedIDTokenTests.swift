import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Synchronization
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The handling of the ID token in a refresh response.
///
/// [OpenID Connect Core 1.0, 12.2](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokenResponse).
@Suite(.timeLimit(.minutes(5)))
struct RefreshedIDTokenTests {
    @Test func `a good one is kept, here, in the store and in the next process`() async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        _ = try await fixture.session.accessToken()
        #expect(await fixture.session.idTokenError == nil)
        let held = await fixture.session.heldTokens
        #expect(held?.idToken != before.idToken)
        #expect(try await fixture.storedRecord().tokens == held)
        let idToken = try #require(held?.idToken)
        #expect(try UnverifiedJWT(idToken).claims.issuedAt == fixture.clock.date)
        let next = fixture.otherProcess()
        await next.restore(validating: false)
        #expect(await next.heldTokens?.idToken == idToken)
    }

    /// None of these faults shows that the tokens belong to another user.
    @Test(
        arguments: [
            (.signature(.wrong), .invalidSignature), (.signature(.unsigned), .algorithmNotAllowed),
            (.claim("auth_time", .integer(1)), .invalidClaim), (.removingClaim("exp"), .missingClaim),
            (.removingClaim("sub"), .missingClaim), (.claim("nonce", .string("another")), .nonceMismatch),
            (.claim("at_hash", .string("another")), .accessTokenHashMismatch),
            (.responseMember("id_token", .string("no-jwt")), .malformed),
            (.responseMember("id_token", .string("")), .malformed),
            (.responseMember("id_token", .integer(1)), .malformed),
        ] as [(InProcessProvider.Fault, IDTokenError.Code)]
    )
    func `of a bad one the tokens beside it are kept, the old one stays, and the session tells why`(
        fault: InProcessProvider.Fault,
        expected: IDTokenError.Code
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(fault)
        let token = try await fixture.session.accessToken()
        #expect(await fixture.session.idTokenError?.code == expected)
        #expect(fixture.session.state == fixture.signedInState)
        let after = try await fixture.storedRecord().tokens
        #expect(after.accessToken == token)
        #expect(after.refreshToken != before.refreshToken)
        #expect(after.idToken == before.idToken)
        #expect(await fixture.session.heldTokens == after)
        // The next ID token is checked independently.
        try await fixture.session.refresh()
        #expect(await fixture.session.idTokenError == nil)
        #expect(try await fixture.storedRecord().tokens.idToken != before.idToken)
    }

    @Test func `without the provider's keys nothing is lost, and the next refresh brings another one`() async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        let relaunched = fixture.otherProcess()
        fixture.provider.inject(.unreachable(at: .jwks))
        let token = try await relaunched.accessToken()
        #expect(await relaunched.idTokenError?.code == .keysUnavailable)
        let after = try await fixture.storedRecord().tokens
        #expect(after.accessToken == token)
        #expect(after.refreshToken != before.refreshToken)
        #expect(after.idToken == before.idToken)
        try await relaunched.refresh()
        #expect(await relaunched.idTokenError == nil)
        #expect(try await fixture.storedRecord().tokens.idToken != before.idToken)
    }

    @Test func `nobody waits for the keys, and a process that is killed meanwhile has stored the tokens`() async throws
    {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayReply(at: .jwks) { await gate.pass() })
        let token = try await relaunched.accessToken()
        await gate.somebodyWaits()
        let stored = try await fixture.storedRecord().tokens
        #expect(stored.accessToken == token)
        #expect(stored.refreshToken != before.refreshToken)
        #expect(stored.idToken == before.idToken)
        #expect(try await relaunched.accessToken() == token)
        gate.open()
        #expect(await relaunched.idTokenError == nil)
        #expect(try await fixture.storedRecord().tokens.idToken != before.idToken)
    }

    @Test func `an end of the process waits for it no longer than five seconds`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayReply(at: .jwks) { await gate.pass() })
        _ = try await relaunched.accessToken()
        await gate.somebodyWaits()
        async let saved: Void = relaunched.flush()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(5))
        try await saved
        gate.open()
        _ = await relaunched.idTokenError
    }

    /// A write of the whole item would lose data that another process has stored beside the tokens.
    @Test func `what another process wrote meanwhile stays`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayReply(at: .jwks) { await gate.pass() })
        _ = try await relaunched.accessToken()
        await gate.somebodyWaits()
        var record = try await fixture.storedRecord()
        record.refreshBegunAt = fixture.clock.date
        try await fixture.store.setItem(try record.encoded(), forKey: SessionRecord.key)
        gate.open()
        #expect(await relaunched.idTokenError == nil)
        let after = try await fixture.storedRecord()
        #expect(after.refreshBegunAt == record.refreshBegunAt)
        #expect(after.tokens.idToken != record.tokens.idToken)
        #expect(after.tokens.isSame(as: record.tokens))
    }

    @Test func `one that is verified after the sign-out brings nobody back`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayReply(at: .jwks) { await gate.pass() })
        _ = try await relaunched.accessToken()
        await gate.somebodyWaits()
        await relaunched.signOut()
        gate.open()
        #expect(await relaunched.idTokenError == nil)
        #expect(try await fixture.stored() == nil)
        #expect(relaunched.state == .signedOut(.userSignedOut))
    }

    @Test func `a store that does not take it loses nothing`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayReply(at: .jwks) { await gate.pass() })
        let token = try await relaunched.accessToken()
        await gate.somebodyWaits()
        let stored = try await fixture.storedRecord().tokens
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        gate.open()
        #expect(await relaunched.idTokenError == nil)
        fixture.store.faults.failWrites(with: nil)
        #expect(try await fixture.storedRecord().tokens == stored)
        #expect(try await relaunched.accessToken() == token)
        #expect(await relaunched.heldTokens?.idToken != stored.idToken)
    }

    @Test(
        arguments: [
            .claim("iss", .string("https://evil.example")), .claim("sub", .string("somebody-else")),
            .claim("aud", .string("another")), .claim("azp", .string("another")),
        ] as [InProcessProvider.Fault]
    )
    func `tokens of a response that names somebody else are revoked, and the session stays`(
        fault: InProcessProvider.Fault
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(fault)
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        try await fixture.session.flush()
        #expect(fixture.revokedTokens.count == 1)
        #expect(fixture.revokedTokens.first != before.refreshToken?.unredacted)
        #expect(fixture.provider.activeRefreshTokenCount == 0)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens == before)
    }

    @Test func `an end of the process waits for all that refreshes have left behind, not only for the last`()
        async throws
    {
        let fixture = try await ProviderFixture.signedIn()
        let gate = Gate()
        await fixture.session.trail { await gate.pass() }
        await gate.somebodyWaits()
        await fixture.session.trail {}
        await settle()
        let isOpen = Mutex(false)
        async let wasOpen: Bool = {
            try await fixture.session.flush()
            return isOpen.withLock { $0 }
        }()
        await settle()
        isOpen.withLock { $0 = true }
        gate.open()
        #expect(try await wasOpen)
    }

    @Test func `nobody waits for the revocation of somebody else's tokens`() async throws {
        let fixture = try await ProviderFixture.expired()
        let gate = Gate()
        fixture.provider.inject(
            .claim("sub", .string("somebody-else")),
            .delayReply(at: .revocation) { await gate.pass() }
        )
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        await gate.somebodyWaits()
        gate.open()
        try await fixture.session.flush()
        #expect(fixture.revokedTokens.count == 1)
    }
}
