// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// The requirements for an ID token in a refresh response.
///
/// [OpenID Connect Core 1.0, 12.2](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokenResponse).
@Suite struct RefreshConformanceTests {
    @Test func `oidcc-client-test-refresh-token: a refresh returns new, valid tokens`() async throws {
        let app = try await RelyingParty()
        let old = try await app.signIn()
        app.clock.advance(by: .seconds(300))
        let new = try await app.refreshed(old)
        #expect(new.tokens.accessToken != old.tokens.accessToken)
        #expect(new.tokens.refreshToken != nil)
        #expect(new.tokens.refreshToken != old.tokens.refreshToken)
        let merged = OpenIDTokens(tokens: old.tokens.merging(new.tokens), idToken: old.idToken)
        #expect(try await app.userInfo(merged).email == "jane@example.com")
        #expect(try await app.refreshed(merged).tokens.accessToken != new.tokens.accessToken)
    }

    @Test func `a refresh sends only the grant type, the refresh token and the client ID`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        _ = try await app.refreshed(tokens)
        let form = try #require(app.server.requests(at: .token).last).form
        #expect(form.map(\.name) == ["grant_type", "refresh_token", "client_id"])
        #expect(form.first { $0.name == "refresh_token" }?.value == tokens.tokens.refreshToken?.unredacted)
    }

    @Test(arguments: ["https://evil.example", "https://provider.example/"])
    func `oidcc-client-test-refresh-token-invalid-issuer: another issuer is refused`(issuer: String) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.refreshRefusal { $0.inject(.claim("iss", .string(issuer))) }
        #expect(refusal == IDTokenError(.issuerMismatch))
    }

    @Test func `oidcc-client-test-refresh-token-invalid-sub: another subject is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.refreshRefusal { $0.inject(.claim("sub", .string("another-person"))) }
        #expect(refusal == IDTokenError(.subjectMismatch))
    }

    @Test func `another audience is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.refreshRefusal { $0.inject(.claim("aud", .string("another-client"))) }
        #expect(refusal == IDTokenError(.audienceMismatch))
        let party = try await app.refreshRefusal { $0.inject(.claim("azp", .string("another-client"))) }
        #expect(party == IDTokenError(.authorizedPartyMismatch))
    }

    @Test func `another subject is refused even if the signature is invalid`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.refreshRefusal {
            $0.inject(.signature(.wrong), .claim("sub", .string("another-person")))
        }
        #expect(refusal == IDTokenError(.subjectMismatch))
    }

    @Test func `the first ID token of a session must name the user of the session`() async throws {
        let app = try await RelyingParty()
        let error = await #expect(throws: OpenIDError.self) {
            try await Self.refreshed(app, of: "another-person")
        }
        #expect(error?.underlying as? IDTokenError == IDTokenError(.subjectMismatch))
        let new = try await Self.refreshed(app, of: "248289761001")
        let idToken = try #require(new.idToken)
        let verified = try await app.provider.verifiedIDToken(
            idToken,
            receivedAt: new.date,
            of: new.tokens.accessToken,
            previous: nil,
            user: "248289761001"
        )
        #expect(verified == idToken)
    }

    private static func refreshed(
        _ app: RelyingParty,
        of subject: String
    ) async throws -> RefreshResponse.Issued {
        let refreshToken = try #require(try await app.signIn().tokens.refreshToken)
        return try await app.provider.refreshed(
            with: refreshToken,
            previous: nil,
            of: subject,
            dpopKey: nil,
            sendGuard: { true }
        ).issued
    }

    @Test func `the tokens of a refused response are revoked`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(.claim("sub", .string("another-person")))
        await #expect(throws: OpenIDError(.token, .idToken(IDTokenError(.subjectMismatch)))) {
            try await app.refreshed(tokens)
        }
        let revoked = try app.onlyRequest(at: .revocation).formValue("token")
        #expect(revoked != nil && revoked != tokens.tokens.refreshToken?.unredacted)
        #expect(app.server.activeRefreshTokenCount == 0)
    }

    /// A provider that does not rotate may repeat the refresh token: it still belongs to the session.
    @Test func `the refresh token that was sent is not revoked`() async throws {
        let app = try await RelyingParty(configure: { $0.rotatesRefreshTokens = false })
        let tokens = try await app.signIn()
        let shown = try #require(tokens.tokens.refreshToken)
        app.server.inject(
            .claim("sub", .string("another-person")),
            .responseMember("refresh_token", .string(shown.unredacted))
        )
        await #expect(throws: OpenIDError(.token, .idToken(IDTokenError(.subjectMismatch)))) {
            try await app.refreshed(tokens)
        }
        #expect(try app.onlyRequest(at: .revocation).formValue("token_type_hint") == "access_token")
    }

    @Test func `the new ID token is verified and may contain the nonce of the sign-in`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(.claim("nonce", try #require(tokens.idToken?.claims["nonce"])))
        let new = try await app.refresh(tokens)
        #expect(try await app.verify(new, after: tokens) != tokens.tokens.idToken)
    }

    /// A session is not discarded for a defect that doesn't concern the owner of the tokens.
    @Test(
        arguments: [
            (.claim("sub", nil), IDTokenError(.missingClaim, claim: "sub")),
            (.claim("iss", nil), IDTokenError(.missingClaim, claim: "iss")),
            (.claim("aud", nil), IDTokenError(.missingClaim, claim: "aud")),
            (.claim("iat", nil), IDTokenError(.missingClaim, claim: "iat")),
            (.claim("exp", .integer(1_799_999_000)), IDTokenError(.expired)),
            (.claim("iat", .integer(1_800_001_000)), IDTokenError(.issuedInTheFuture)),
            (.claim("nonce", .string("another-nonce")), IDTokenError(.nonceMismatch)),
            (.claim("at_hash", .string("77QmUPtjPfzWtF2AnpK9RQ")), IDTokenError(.accessTokenHashMismatch)),
            (.claim("auth_time", .integer(1_800_000_001)), IDTokenError(.invalidClaim, claim: "auth_time")),
            (.signature(.wrong), IDTokenError(.invalidSignature)),
            (.signature(.unsigned), IDTokenError(.algorithmNotAllowed)),
            (.signature(.hs256), IDTokenError(.algorithmNotAllowed)),
            (.signature(.unknownKey), IDTokenError(.unknownKey)),
            (.responseMember("id_token", .string("no-jwt")), IDTokenError(.malformed)),
            (.responseMember("id_token", .integer(1)), IDTokenError(.malformed)),
        ] as [(InProcessProvider.Fault, IDTokenError)]
    )
    func `the tokens are kept if the ID token is refused because of another defect`(
        fault: InProcessProvider.Fault,
        expected: IDTokenError
    ) async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(fault)
        let answer = try await app.refresh(tokens)
        #expect(answer.tokens.refreshToken != nil)
        #expect(answer.tokens.idToken == nil)
        await #expect(throws: expected) { try await app.verify(answer, after: tokens) }
    }

    /// OpenID Connect Core 1.0, 12.2: the response might have no ID token.
    @Test func `a response without ID token, refresh token and scope is complete`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(
            .responseMember("id_token", nil),
            .responseMember("refresh_token", nil),
            .responseMember("scope", nil)
        )
        let answer = try await app.refresh(tokens)
        #expect(answer.idToken == nil)
        let merged = tokens.tokens.merging(answer.tokens)
        #expect(merged.accessToken == answer.tokens.accessToken)
        #expect(merged.refreshToken == tokens.tokens.refreshToken)
        #expect(merged.idToken == tokens.tokens.idToken)
    }

    /// The only copy of the new tokens must not wait for a key set.
    @Test func `a refresh fetches no keys`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        let before = app.server.count(at: .jwks)
        app.clock.advance(by: .seconds(86_400))
        app.server.inject(.status(503, at: .jwks))
        let new = try await app.refresh(tokens)
        #expect(app.server.count(at: .jwks) == before)
        await #expect(throws: IDTokenError(.keysUnavailable)) { try await app.verify(new, after: tokens) }
    }

    // MARK: Refusals

    @Test func `the refresh of an ended session is refused with the provider's code`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.endAllSessions()
        let error = await #expect(throws: OpenIDError.self) { try await app.refreshed(tokens) }
        #expect(error == OpenIDError(.token, .refused))
        #expect(error?.oauthCode == .invalidGrant)
        #expect(app.server.count(at: .token) == 2)
    }

    @Test(
        arguments: [
            (.status(503, at: .token), OpenIDError(.token, .serverFailed)),
            (.status(500, at: .token), OpenIDError(.token, .serverFailed)),
            (.status(425, at: .token), OpenIDError(.token, .serverFailed)),
            (.status(408, at: .token), OpenIDError(.token, .serverFailed)),
            (.status(429, retryAfter: .seconds(7), at: .token), OpenIDError(.token, .rateLimited)),
            (.unreachable(at: .token), OpenIDError(.token, .unreachable)),
            (.dropResponse(at: .token), OpenIDError(.token, .unreachable)),
            (.html(at: .token), OpenIDError(.token, .malformedResponse)),
            (.redirect(to: "https://evil.example/token", at: .token), OpenIDError(.token, .redirected)),
            (.responseMember("token_type", .string("mac")), OpenIDError(.token, .invalidResponse)),
        ] as [(InProcessProvider.Fault, OpenIDError)]
    )
    func `a failure of the token endpoint has its code, and the refresh token is sent once`(
        fault: InProcessProvider.Fault,
        code: OpenIDError
    ) async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(fault)
        let error = await #expect(throws: OpenIDError.self) { try await app.refreshed(tokens) }
        #expect(error == code)
        #expect(error?.retryAfter == (code.code == .rateLimited ? .seconds(7) : nil))
        #expect(app.server.requests(at: .token).count == 2)
        #expect(app.contactedOnlyProvider)
    }

    /// [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
    @Test(arguments: [.string("invalid_grant"), .string(""), .integer(1), .object([:])] as [JSONValue])
    func `a response with both an error and an access token is an error`(member: JSONValue) async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        let fault = InProcessProvider.Fault.responseMember("error", member)
        app.server.inject(fault)
        let signIn = await #expect(throws: OpenIDError(.token, .invalidResponse)) { try await app.signIn() }
        #expect(signIn?.oauthCode?.rawValue == (member == .string("invalid_grant") ? "invalid_grant" : nil))
        // The new refresh token is the only valid one from now on.
        app.server.inject(fault)
        let answer = try await app.provider.refreshed(
            with: try #require(tokens.tokens.refreshToken),
            previous: tokens.tokens.idToken,
            dpopKey: nil,
            sendGuard: { true }
        )
        guard case .rotated(let rotated, let error) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(error == OpenIDError(.token, .invalidResponse))
        #expect(rotated != tokens.tokens.refreshToken)
        // `null` is no error.
        app.server.inject(.responseMember("error", .null))
        #expect(try await app.signIn().idToken != nil)
    }

    /// The new refresh token is the only valid one from now on.
    @Test(
        arguments: [("expires_in", .integer(-1)), ("expires_in", .string("soon")), ("scope", .array([.integer(1)]))]
            as [(String, JSONValue)]
    )
    func `an invalid expires_in or scope does not discard the new tokens`(member: String, value: JSONValue)
        async throws
    {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(.responseMember(member, value))
        let new = try await app.refreshed(tokens)
        #expect(new.tokens.refreshToken != nil)
        #expect(new.tokens.refreshToken != tokens.tokens.refreshToken)
        app.server.inject(.responseMember(member, value))
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error == OpenIDError(.token, .malformedResponse))
    }

    @Test(arguments: ["nonce", "azp", "at_hash"]) func `a claim that is null counts as absent`(
        name: String
    ) async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(.claim(name, .null))
        #expect(try await app.refreshed(tokens).tokens.refreshToken != nil)
    }
}
