import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// What an ID token must say that comes with a refresh.
///
/// [OpenID Connect Core 1.0, 12.2](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokenResponse).
@Suite struct RefreshConformanceTests {
    @Test func `oidcc-client-test-refresh-token: new tokens come, and they are good`() async throws {
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

    @Test func `a refresh sends the refresh token, and neither scope nor secret of the sign-in`() async throws {
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

    @Test func `oidcc-client-test-refresh-token-invalid-sub: another person is refused`() async throws {
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

    @Test func `another nonce is refused, and the one of the sign-in is taken`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.refreshRefusal { $0.inject(.claim("nonce", .string("another-nonce"))) }
        #expect(refusal == IDTokenError(.nonceMismatch))
        let tokens = try await app.signIn()
        let nonce = try #require(tokens.idToken?.claims["nonce"])
        app.server.inject(.claim("nonce", nonce))
        #expect(try await app.refreshed(tokens).tokens.refreshToken != nil)
    }

    @Test func `an ID token that names nobody is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.refreshRefusal { $0.inject(.removingClaim("sub")) }
        #expect(refusal == IDTokenError(.missingClaim, claim: "sub"))
    }

    /// Nothing of it is kept, and a session is not thrown away for what says nothing of whose the tokens are.
    @Test(
        arguments: [
            .removingClaim("iat"), .claim("exp", .integer(1_799_999_000)), .claim("iat", .integer(1_800_001_000)),
            .claim("at_hash", .string("77QmUPtjPfzWtF2AnpK9RQ")), .claim("auth_time", .integer(1_800_000_001)),
            .signature(.wrong), .signature(.unsigned), .signature(.hs256), .signature(.unknownKey),
        ] as [InProcessProvider.Fault]
    )
    func `the tokens are taken whatever else is wrong with the ID token, and it is not kept`(
        fault: InProcessProvider.Fault
    ) async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(fault)
        let answer = try await app.refreshed(tokens)
        #expect(answer.tokens.refreshToken != nil)
        #expect(answer.idToken == nil)
        #expect(answer.tokens.idToken == nil)
    }

    /// OpenID Connect Core 1.0, 12.2: the answer might have no ID token.
    @Test func `an answer without an ID token, refresh token and scope is whole`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(
            .removingAnswerMember("id_token"),
            .removingAnswerMember("refresh_token"),
            .removingAnswerMember("scope")
        )
        let answer = try await app.refreshed(tokens)
        #expect(answer.idToken == nil)
        let merged = tokens.tokens.merging(answer.tokens)
        #expect(merged.accessToken == answer.tokens.accessToken)
        #expect(merged.refreshToken == tokens.tokens.refreshToken)
        #expect(merged.idToken == tokens.tokens.idToken)
    }

    /// The only copy of the new tokens must not wait for a key set.
    @Test func `a refresh asks for no keys`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        let before = app.server.count(at: .jwks)
        app.clock.advance(by: .seconds(86_400))
        app.server.inject(.status(503, at: .jwks))
        _ = try await app.refreshed(tokens)
        #expect(app.server.count(at: .jwks) == before)
    }

    // MARK: Refusals

    @Test func `a session that the provider has ended is refused with the provider's word`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.endAllSessions()
        let error = await #expect(throws: TokenEndpointError.self) { try await app.refreshed(tokens) }
        #expect(error?.code == .refused)
        #expect(error?.oauthCode == .invalidGrant)
        #expect(app.server.count(at: .token) == 2)
    }

    @Test(
        arguments: [
            (.status(503, at: .token), .serverFailed),
            (.status(429, retryAfter: .seconds(7), at: .token), .rateLimited),
            (.unreachable(at: .token), .unreachable), (.dropReply(at: .token), .unreachable),
            (.html(at: .token), .unreadable), (.redirect(to: "https://evil.example/token", at: .token), .redirected),
            (.answerMember("token_type", .string("mac")), .unsafeAnswer),
        ] as [(InProcessProvider.Fault, TokenEndpointError.Code)]
    )
    func `a fault at the token endpoint is told apart, and the refresh token is sent once`(
        fault: InProcessProvider.Fault,
        code: TokenEndpointError.Code
    ) async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(fault)
        let error = await #expect(throws: TokenEndpointError.self) { try await app.refreshed(tokens) }
        #expect(error?.code == code)
        #expect(error?.retryAfter == (code == .rateLimited ? .seconds(7) : nil))
        #expect(app.server.requests(at: .token).count == 2)
        #expect(app.askedNobodyElse)
    }

    /// The new refresh token is the only one that is good from now on.
    @Test(
        arguments: [("expires_in", .integer(-1)), ("expires_in", .string("soon")), ("scope", .array([]))]
            as [(String, JSONValue)]
    )
    func `what only describes new tokens loses none of them by a wrong form`(member: String, value: JSONValue)
        async throws
    {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(.answerMember(member, value))
        let new = try await app.refreshed(tokens)
        #expect(new.tokens.refreshToken != nil)
        #expect(new.tokens.refreshToken != tokens.tokens.refreshToken)
        app.server.inject(.answerMember(member, value))
        let error = await #expect(throws: TokenEndpointError.self) { try await app.signIn() }
        #expect(error?.code == .unreadable)
    }

    @Test(arguments: ["nonce", "azp", "at_hash"]) func `a claim that is null is one that is not there`(
        name: String
    ) async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(.claim(name, .null))
        #expect(try await app.refreshed(tokens).tokens.refreshToken != nil)
    }
}
