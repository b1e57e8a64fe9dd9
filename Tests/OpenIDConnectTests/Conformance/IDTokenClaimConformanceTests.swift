// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// The claims of an ID token, by the OpenID Foundation's list of tests for relying parties.
///
/// Each test is named after its module of the suite, if there is one; the others follow
/// [OpenID Connect Core 1.0, 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation).
@Suite struct IDTokenClaimConformanceTests {
    @Test func `oidcc-client-test: a valid sign-in returns verified tokens`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        #expect(try await app.userInfo(tokens).email == "jane@example.com")
        let claims = try #require(tokens.idToken?.claims)
        #expect(tokens.idToken?.subject == "248289761001")
        #expect(claims.issuer == "https://provider.example")
        #expect(claims.audience == ["native"])
        #expect(tokens.tokens.refreshToken != nil)
        #expect(
            app.server.requests.map(\.endpoint) == [.discovery, .authorization, .token, .jwks, .userInfo]
        )
    }

    @Test func `the tokens beside an invalid ID token are revoked and not used`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.claim("iss", .string("https://evil.example")))
        await #expect(throws: OpenIDError(.token, .idToken(IDTokenError(.issuerMismatch)))) { try await app.signIn() }
        // Only the revocation follows.
        #expect(app.server.requests.map(\.endpoint) == [.discovery, .authorization, .token, .jwks, .revocation])
    }

    @Test func `a response without an ID token is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.responseMember("id_token", nil)) }
        #expect(refusal == IDTokenError(.missing))
    }

    // MARK: nonce

    @Test(arguments: [.string("another-nonce"), .string(""), .integer(1)] as [JSONValue])
    func `oidcc-client-test-nonce-invalid: a nonce of another request is refused`(nonce: JSONValue) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("nonce", nonce)) }
        #expect(refusal == IDTokenError(.nonceMismatch))
    }

    @Test func `a missing nonce is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("nonce", nil)) }
        #expect(refusal == IDTokenError(.missingClaim, claim: "nonce"))
    }

    @Test func `every request has its own nonce, and the ID token contains it`() async throws {
        let app = try await RelyingParty()
        let tokens = [try await app.signIn(), try await app.signIn()]
        let sent = app.server.requests(at: .authorization).map { $0.queryValue("nonce") }
        #expect(Set(sent).count == 2)
        #expect(tokens.map { $0.idToken?.claims["nonce"]?.string } == sent)
    }

    // MARK: iss and sub

    @Test(arguments: [
        "https://evil.example", "https://provider.example/", "https://provider.example:443", "HTTPS://provider.example",
        "http://provider.example", "",
    ])
    func `oidcc-client-test-invalid-iss: another issuer is refused, however similar`(issuer: String) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("iss", .string(issuer))) }
        #expect(refusal == IDTokenError(.issuerMismatch))
    }

    @Test func `oidcc-client-test-missing-iss: a missing issuer is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("iss", nil)) }
        #expect(refusal == IDTokenError(.missingClaim, claim: "iss"))
    }

    @Test func `oidcc-client-test-missing-sub: a missing subject is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("sub", nil)) }
        #expect(refusal == IDTokenError(.missingClaim, claim: "sub"))
    }

    /// OpenID Connect Core 1.0, 2: MUST NOT exceed 255 ASCII characters.
    @Test(arguments: ["", String(repeating: "a", count: 256)])
    func `a subject of an invalid length is refused`(subject: String) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("sub", .string(subject))) }
        #expect(refusal == IDTokenError(.invalidClaim, claim: "sub"))
    }

    // MARK: aud and azp

    @Test(
        arguments: [
            .string("another-client"), .string("native "), .string("Native"), .string(""),
            .array([.string("another-client")]),
        ] as [JSONValue]
    )
    func `oidcc-client-test-invalid-aud: a token for another client is refused`(audience: JSONValue) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("aud", audience)) }
        #expect(refusal == IDTokenError(.audienceMismatch))
    }

    @Test func `oidcc-client-test-missing-aud: a token without an audience is refused`() async throws {
        let app = try await RelyingParty()
        let missing = try await app.idTokenRefusal { $0.inject(.claim("aud", nil)) }
        #expect(missing == IDTokenError(.missingClaim, claim: "aud"))
        let empty = try await app.idTokenRefusal { $0.inject(.claim("aud", .array([]))) }
        #expect(empty == IDTokenError(.missingClaim, claim: "aud"))
    }

    @Test func `a list with one audience is accepted`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.claim("aud", .array([.string("native")])))
        #expect(try await app.signIn().idToken?.claims.audience == ["native"])
    }

    @Test func `several audiences are accepted only if the token was issued to this client`() async throws {
        let app = try await RelyingParty()
        let several = JSONValue.array([.string("native"), .string("an-api")])
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("aud", several)) }
        #expect(refusal == IDTokenError(.authorizedPartyMismatch))
        app.server.inject(.claim("aud", several), .claim("azp", .string("native")))
        #expect(try await app.signIn().idToken?.claims.audience == ["native", "an-api"])
    }

    @Test(arguments: [.string("another-client"), .string(""), .integer(1)] as [JSONValue])
    func `a token that was issued to another client is refused`(party: JSONValue) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("azp", party)) }
        #expect(refusal == IDTokenError(.authorizedPartyMismatch))
    }

    @Test func `a token that was issued to this client is accepted`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.claim("azp", .string("native")))
        #expect(try await app.signIn().idToken?.claims["azp"]?.string == "native")
    }

    // MARK: at_hash

    /// Another token's hash, an empty one, and a whole hash in place of its left half.
    @Test(arguments: ["77QmUPtjPfzWtF2AnpK9RQ", "", "77QmUPtjPfzWtF2AnpK9RZ5qvVTe8LJdCtVhdKrHP5w"])
    func `oidcc-client-test-invalid-at-hash: the hash of another access token is refused`(hash: String) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("at_hash", .string(hash))) }
        #expect(refusal == IDTokenError(.accessTokenHashMismatch))
    }

    @Test func `a hash that is not a string is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("at_hash", .integer(1))) }
        #expect(refusal == IDTokenError(.invalidClaim, claim: "at_hash"))
    }

    /// OpenID Connect Core 1.0, 3.1.3.6: OPTIONAL in a token from the token endpoint.
    @Test func `a missing hash of the access token is accepted`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.claim("at_hash", nil))
        let claims = try #require(try await app.signIn().idToken?.claims)
        #expect(claims["at_hash"] == nil)
    }

    /// OpenID Connect Core 1.0, 5.6.2: claims from other sources are neither fetched nor trusted.
    @Test(
        arguments: [
            ("oidcc-client-test-aggregated-claims", .object(["JWT": .string("eyJhbGciOiJub25lIn0.e30.")])),
            (
                "oidcc-client-test-distributed-claims",
                .object(["endpoint": .string("https://claims.example/"), "access_token": .string("at")])
            ),
        ] as [(String, JSONValue)]
    )
    func `oidcc-client-test-aggregated-claims and -distributed-claims: the claims are not resolved`(
        module: String,
        source: JSONValue
    ) async throws {
        let app = try await RelyingParty()
        app.server.inject(
            .claim("_claim_names", .object(["age": .string("src1")]), at: .userInfo),
            .claim("_claim_sources", .object(["src1": source]), at: .userInfo)
        )
        let info = try await app.userInfo(try await app.signIn())
        #expect(info.claims["_claim_sources"]?.object?["src1"] == source, "\(module)")
        #expect(info.claims["age"] == nil)
        #expect(app.contactedOnlyProvider)
    }
}
