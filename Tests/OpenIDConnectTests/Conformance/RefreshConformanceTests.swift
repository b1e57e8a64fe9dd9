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
        #expect(new.idToken?.subject == old.idToken?.subject)
        #expect(try await app.userInfo(new).email == "jane@example.com")
        #expect(try await app.refreshed(new).idToken != nil)
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
        #expect(try await app.refreshed(tokens).idToken?.claims["nonce"] == nonce)
    }

    @Test func `another time of the sign-in is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.refreshRefusal { $0.inject(.claim("auth_time", .integer(1_800_000_001))) }
        #expect(refusal == IDTokenError(.invalidClaim, claim: "auth_time"))
    }

    @Test(
        arguments: [
            (.removingClaim("sub"), IDTokenError(.missingClaim, claim: "sub")),
            (.removingClaim("iat"), IDTokenError(.missingClaim, claim: "iat")),
            (.claim("exp", .integer(1_799_999_000)), IDTokenError(.expired)),
            (.claim("iat", .integer(1_800_001_000)), IDTokenError(.issuedInTheFuture)),
            (.claim("at_hash", .string("77QmUPtjPfzWtF2AnpK9RQ")), IDTokenError(.accessTokenHashMismatch)),
            (.signature(.wrong), IDTokenError(.invalidSignature)),
            (.signature(.unsigned), IDTokenError(.algorithmNotAllowed)),
            (.signature(.hs256), IDTokenError(.algorithmNotAllowed)),
            (.signature(.unknownKey), IDTokenError(.unknownKey)),
        ] as [(InProcessProvider.Fault, IDTokenError)]
    )
    func `a refreshed ID token is checked as the first one was`(
        fault: InProcessProvider.Fault,
        reason: IDTokenError
    ) async throws {
        let app = try await RelyingParty()
        #expect(try await app.refreshRefusal { $0.inject(fault) } == reason)
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

    // MARK: Keys that can't be had

    /// A session is not thrown away for a key set: the tokens came over TLS from the token endpoint.
    @Test func `where the keys can't be had the tokens are taken, and the ID token is left out`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.clock.advance(by: .seconds(86_400))
        app.server.inject(.status(503, at: .jwks))
        let refreshed = try await app.refreshed(tokens)
        #expect(refreshed.idToken == nil)
        #expect(refreshed.tokens.idToken == nil)
        #expect(refreshed.tokens.refreshToken != nil)
        #expect(try await app.refreshed(refreshed).idToken != nil)
    }

    @Test(
        arguments: [
            (.claim("sub", .string("another-person")), IDTokenError(.subjectMismatch)),
            (.claim("iss", .string("https://evil.example")), IDTokenError(.issuerMismatch)),
            (.claim("aud", .string("another-client")), IDTokenError(.audienceMismatch)),
        ] as [(InProcessProvider.Fault, IDTokenError)]
    )
    func `where the keys can't be had, tokens of somebody else are refused all the same`(
        fault: InProcessProvider.Fault,
        reason: IDTokenError
    ) async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.clock.advance(by: .seconds(86_400))
        app.server.inject(.status(503, at: .jwks))
        app.server.inject(fault)
        let error = await #expect(throws: TokenEndpointError.self) { try await app.refreshed(tokens) }
        #expect(error?.underlying as? IDTokenError == reason)
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
}
