import AuthCore
import AuthTesting
import HTTPTypes
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession

/// A session whose tokens are bound to a key.
@Suite(.timeLimit(.minutes(5)))
struct DPoPSessionTests {
    private func proofs(_ fixture: ProviderFixture, at endpoint: InProcessProvider.Endpoint) throws -> [UnverifiedJWT] {
        try fixture.provider.requests(at: endpoint).compactMap { $0.fields[.dpop] }.map { try UnverifiedJWT($0) }
    }

    private func key(of proof: UnverifiedJWT?) throws -> [String: JSONValue] {
        try #require(proof?.header.parameters["jwk"]?.object)
    }

    @Test func `every request for tokens has a proof by the one key, which outlives the process`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        try await fixture.session.refresh()
        try await fixture.otherProcess().refresh()
        let proofs = try proofs(fixture, at: .token)
        #expect(proofs.count == 3)
        let keys = Set(try proofs.map { try key(of: $0) })
        #expect(keys.count == 1)
        #expect(keys.first?["d"] == nil)
        #expect(proofs.allSatisfy { $0.claims["htu"] == .string(fixture.provider.url(of: .token)) })
        #expect(Set(proofs.map { $0.claims["jti"] }).count == 3)
        #expect(fixture.provider.refreshCount == 2)
    }

    @Test func `two sign-ins have two keys`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        try await fixture.signIn(.bound)
        let proofs = try proofs(fixture, at: .token)
        #expect(try key(of: proofs.first) != key(of: proofs.last))
    }

    @Test func `the claims are asked for with a proof that names the token`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        _ = try await fixture.otherProcess().userInfo()
        let request = try #require(fixture.provider.requests(at: .userInfo).last)
        let token = try await fixture.session.accessToken()
        #expect(request.fields[.authorization] == "DPoP \(token.unredacted)")
        let proof = try #require(try proofs(fixture, at: .userInfo).last)
        #expect(proof.claims["ath"]?.string?.isEmpty == false)
        #expect(try key(of: proof) == key(of: try proofs(fixture, at: .token).first))
        #expect(request.status == 200)
    }

    @Test func `a provider that wants its nonce in the proof gets it`() async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.requiresDPoPNonce = true
        let fixture = try await ProviderFixture.signedIn(configuration, asking: .bound)
        fixture.provider.rotateDPoPNonce()
        try await fixture.session.refresh()
        fixture.provider.rotateDPoPNonce()
        _ = try await fixture.session.userInfo()
        #expect(fixture.provider.refreshCount == 1)
        #expect(try #require(try proofs(fixture, at: .userInfo).last).claims["nonce"] != nil)
    }

    @Test func `bearer tokens in place of bound ones are not taken`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(.answerMember("token_type", .string("Bearer")))
        #expect(await code { try await fixture.session.refresh() } == .unsafeAnswer)
        #expect(try await fixture.storedRecord().tokens == before)
    }

    @Test func `without the wish there is no key and no proof`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        try await fixture.session.refresh()
        #expect(try proofs(fixture, at: .token).isEmpty)
        #expect(try await fixture.storedRecord().tokens.proofKey == nil)
    }
}
