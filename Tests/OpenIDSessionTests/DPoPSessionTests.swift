// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A session with sender-constrained tokens.
@Suite(.timeLimit(.minutes(5)))
struct DPoPSessionTests {
    private func proofs(_ fixture: ProviderFixture, at endpoint: InProcessProvider.Endpoint) throws -> [UnverifiedJWT] {
        try fixture.provider.requests(at: endpoint).compactMap { $0.fields[.dpop] }.map { try UnverifiedJWT($0) }
    }

    private func key(of proof: UnverifiedJWT?) throws -> [String: JSONValue] {
        try #require(proof?.header.parameters["jwk"]?.object)
    }

    @Test func `every token request carries a proof by one key, which outlives the process`() async throws {
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

    @Test func `two sign-ins use two keys`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        try await fixture.signIn(.bound)
        let proofs = try proofs(fixture, at: .token)
        #expect(try key(of: proofs.first) != key(of: proofs.last))
    }

    @Test func `a userinfo request carries a proof that names the access token`() async throws {
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

    @Test func `a provider that requires a nonce gets it in the proof`() async throws {
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

    @Test func `API calls carry a proof by the session's key before and after a refresh`() async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.requiresDPoPNonce = true
        let fixture = try await ProviderFixture.signedIn(configuration, asking: .bound)
        let api = APIClient(
            baseURL: try BaseURL(fixture.provider.url(of: .api)),
            authenticatedBy: fixture.session,
            transport: fixture.provider
        )
        #expect(try await api.send(.raw(.get, "/jobs")).head.status == .ok)
        try await fixture.session.refresh()
        fixture.provider.rotateDPoPNonce()
        #expect(try await api.send(.raw(.get, "/jobs")).head.status == .ok)
        let keys = Set(try (proofs(fixture, at: .api) + proofs(fixture, at: .token)).map { try key(of: $0) })
        #expect(keys.count == 1)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `a credential keeps the key of its own token after a later sign-in`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        let before = try await fixture.session.credential()
        #expect(before.accessToken == (try await fixture.session.accessToken()))
        #expect(before.binding?.key.bytes == (try await fixture.storedRecord().tokens.dpopKeyBytes))
        try await fixture.session.refresh()
        let refreshed = try await fixture.session.credential(insteadOf: before.accessToken)
        #expect(refreshed.accessToken != before.accessToken)
        #expect(refreshed.binding?.key.bytes == before.binding?.key.bytes)
        try await fixture.signIn(.bound)
        let after = try #require(fixture.session.freshCredential)
        #expect(after.binding?.key.bytes != before.binding?.key.bytes)
        #expect(after.binding?.key.bytes == (try await fixture.storedRecord().tokens.dpopKeyBytes))
    }

    @Test func `a credential for tokens other than the current ones has their key`() async throws {
        let publisher = SessionPublisher(of: try await ProviderFixture().session.authority, SessionOptions())
        func tokens(_ text: String, _ key: DPoPKey?) throws -> TokenSet {
            let lifetime = TokenLifetime(issuedAt: nil, expiresAt: nil)
            var tokens = TokenSet(accessToken: try AccessToken(text), lifetime: lifetime)
            tokens.dpopKeyBytes = key?.bytes
            return tokens
        }
        let (one, other) = (DPoPKey(), DPoPKey())
        _ = publisher.publish(.signedIn(nil, .online), try tokens("t1", one), freshUntil: .seconds(1))
        #expect(publisher.freshCredential(at: .zero)?.binding?.key.bytes == one.bytes)
        #expect(publisher.credential(for: try tokens("t1", one)).binding?.key.bytes == one.bytes)
        #expect(publisher.credential(for: try tokens("t2", other)).binding?.key.bytes == other.bytes)
        #expect(publisher.credential(for: try tokens("t1", other)).binding?.key.bytes == other.bytes)
        #expect(publisher.credential(for: try tokens("t3", nil)).binding == nil)
        #expect(publisher.freshCredential(at: .zero)?.binding?.key.bytes == one.bytes)
    }

    @Test func `bearer tokens are rejected if the session's tokens are sender-constrained`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        let before = try await fixture.storedRecord().tokens
        fixture.provider.inject(.responseMember("token_type", .string("Bearer")))
        #expect(await code { try await fixture.session.refresh() } == .invalidResponse)
        let kept = try await fixture.storedRecord().tokens
        #expect(kept.accessToken == before.accessToken && kept.dpopKeyBytes == before.dpopKeyBytes)
        // The refresh consumed the previous refresh token.
        #expect(kept.refreshToken != before.refreshToken)
    }

    @Test func `a session without DPoP has no key and sends no proof`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        try await fixture.session.refresh()
        #expect(try proofs(fixture, at: .token).isEmpty)
        #expect(try await fixture.storedRecord().tokens.dpopKeyBytes == nil)
    }
}
