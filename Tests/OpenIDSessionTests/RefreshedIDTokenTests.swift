// SPDX-License-Identifier: Apache-2.0

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
    @Test func `a valid ID token is kept in memory, in the store and in the next process`() async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        _ = try await fixture.session.idToken()
        let held = await fixture.session.inMemoryTokens
        #expect(held?.idToken != before.idToken)
        #expect(try await fixture.storedRecord().tokens == held)
        let idToken = try #require(held?.idToken)
        #expect(try UnverifiedJWT(idToken).claims.issuedAt == fixture.clock.date)
        let next = fixture.otherProcess()
        await next.restore(validating: false)
        #expect(await next.inMemoryTokens?.idToken == idToken)
    }

    /// None of these faults shows that the tokens belong to another user.
    @Test(
        arguments: [
            (.signature(.wrong), .invalidSignature), (.signature(.unsigned), .algorithmNotAllowed),
            (.claim("auth_time", .integer(1)), .invalidClaim), (.claim("exp", nil), .missingClaim),
            (.claim("sub", nil), .missingClaim), (.claim("nonce", .string("another")), .nonceMismatch),
            (.claim("at_hash", .string("another")), .accessTokenHashMismatch),
            (.responseMember("id_token", .string("no-jwt")), .malformed),
            (.responseMember("id_token", .string("")), .malformed),
            (.responseMember("id_token", .integer(1)), .malformed),
        ] as [(InProcessProvider.Fault, IDTokenError.Code)]
    )
    func `an invalid ID token is reported, and the previous one and the new tokens are kept`(
        fault: InProcessProvider.Fault,
        expected: IDTokenError.Code
    ) async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(fault)
        let token = try await fixture.session.accessToken()
        #expect(fixture.session.state == fixture.signedInState)
        let after = try await fixture.storedRecord().tokens
        #expect(after.accessToken == token)
        #expect(after.refreshToken != before.refreshToken)
        #expect(after.idToken == before.idToken)
        #expect(await fixture.session.inMemoryTokens == after)
        // The previous one has expired. The next one is as bad.
        fixture.provider.inject(fault)
        let error = await #expect(throws: IDTokenError.self) { try await fixture.session.idToken() }
        #expect(error?.code == expected)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens.idToken == before.idToken)
        // The next ID token is checked independently.
        try await fixture.session.refresh()
        #expect(try await fixture.session.idToken() != before.idToken)
        #expect(try await fixture.storedRecord().tokens.idToken != before.idToken)
    }

    @Test func `an ID token whose keys can't be loaded is verified at the next use`() async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        let relaunched = fixture.otherProcess()
        let token = try await relaunched.accessToken()
        let after = try await fixture.storedRecord().tokens
        #expect(after.accessToken == token)
        #expect(after.refreshToken != before.refreshToken)
        #expect(after.idToken == before.idToken)
        #expect(try await relaunched.idToken() != before.idToken)
        #expect(fixture.provider.refreshCount == 1)
        #expect(try await fixture.storedRecord().tokens.idToken != before.idToken)
    }

    @Test func `a refresh fetches no keys`() async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        let relaunched = fixture.otherProcess()
        let keys = fixture.provider.requests(at: .jwks).count
        let token = try await relaunched.accessToken()
        let stored = try await fixture.storedRecord().tokens
        #expect(stored.accessToken == token)
        #expect(stored.refreshToken != before.refreshToken)
        #expect(stored.idToken == before.idToken)
        #expect(fixture.provider.requests(at: .jwks).count == keys)
    }

    @Test func `a refresh for another API during the verification loses no ID token`() async throws {
        let fixture = try await ProviderFixture.expired()
        let before = try await fixture.storedRecord().tokens
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .jwks) { await gate.pass() })
        async let idToken = relaunched.idToken()
        await gate.waitForArrival()
        _ = try await relaunched.accessToken(for: TokenTarget(scope: "profile"))
        gate.open()
        _ = try await idToken
        let after = try await fixture.storedRecord()
        #expect(after.tokens.idToken != before.idToken)
        #expect(await relaunched.inMemoryTokens?.idToken == after.tokens.idToken)
        #expect(after.resourceTokens.all.count == 1)
    }

    /// A write of the whole item would lose data that another process has stored beside the tokens.
    @Test func `a verified ID token does not overwrite changes of another process`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .jwks) { await gate.pass() })
        async let idToken = relaunched.idToken()
        await gate.waitForArrival()
        var record = try await fixture.storedRecord()
        record.refreshBegunAt = fixture.clock.date
        try await fixture.store.setItem(try record.encoded(), forKey: SessionRecord.key)
        gate.open()
        _ = try await idToken
        let after = try await fixture.storedRecord()
        #expect(after.refreshBegunAt == record.refreshBegunAt)
        #expect(after.tokens.idToken != record.tokens.idToken)
        #expect(after.tokens.isSame(as: record.tokens))
    }

    @Test func `an ID token that is verified after the sign-out does not restore the session`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .jwks) { await gate.pass() })
        async let idToken = relaunched.idToken()
        await gate.waitForArrival()
        await relaunched.signOut()
        gate.open()
        _ = try? await idToken
        #expect(try await fixture.stored() == nil)
        #expect(relaunched.state == .signedOut(.userSignedOut))
    }

    @Test func `a failed write of the ID token loses no tokens`() async throws {
        let fixture = try await ProviderFixture.expired()
        let relaunched = fixture.otherProcess()
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .jwks) { await gate.pass() })
        async let idToken = relaunched.idToken()
        await gate.waitForArrival()
        let stored = try await fixture.storedRecord().tokens
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        gate.open()
        #expect(try await idToken != stored.idToken)
        fixture.store.faults.failWrites(with: nil)
        #expect(try await fixture.storedRecord().tokens == stored)
        #expect(try await relaunched.accessToken() == stored.accessToken)
        #expect(await relaunched.inMemoryTokens?.idToken != stored.idToken)
    }

    @Test(
        arguments: [
            .claim("iss", .string("https://evil.example")), .claim("sub", .string("somebody-else")),
            .claim("aud", .string("another")), .claim("azp", .string("another")),
        ] as [InProcessProvider.Fault]
    )
    func `tokens of a response for another user or client are revoked, and the session stays`(
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

    @Test func `flush waits for all trailing work of refreshes, not only for the latest`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let gate = Gate()
        await fixture.session.addTrailingWork { await gate.pass() }
        await gate.waitForArrival()
        await fixture.session.addTrailingWork {}
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
        #expect(await fixture.session.trailingWork == nil)
    }

    @Test func `a refresh does not wait for the revocation of another user's tokens`() async throws {
        let fixture = try await ProviderFixture.expired()
        let gate = Gate()
        fixture.provider.inject(
            .claim("sub", .string("somebody-else")),
            .delayResponse(at: .revocation) { await gate.pass() }
        )
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        await gate.waitForArrival()
        gate.open()
        try await fixture.session.flush()
        #expect(fixture.revokedTokens.count == 1)
    }
}
