// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// The validity period of an ID token, by the provider's clock as far as its responses show it.
///
/// [OpenID Connect Core 1.0, 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation),
/// 9 to 13.
@Suite struct IDTokenTimeConformanceTests {
    /// The time of the test clock, which stands still.
    private static let now: Int64 = 1_800_000_000

    private static func time(_ name: String, _ offset: Int64) -> InProcessProvider.Fault {
        .claim(name, .integer(now + offset))
    }

    // MARK: exp, iat, nbf

    @Test func `oidcc-client-test-missing-iat: a token without its time of issue is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("iat", nil)) }
        #expect(refusal == IDTokenError(.missingClaim, claim: "iat"))
    }

    @Test func `oidcc-client-test-missing-exp: a token without an expiry is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(.claim("exp", nil)) }
        #expect(refusal == IDTokenError(.missingClaim, claim: "exp"))
    }

    @Test func `an expired token is accepted only within the clock skew`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(Self.time("exp", -60)) }
        #expect(refusal == IDTokenError(.expired))
        app.server.inject(Self.time("exp", -59))
        #expect(try await app.signIn().idToken?.claims["exp"]?.integer == Self.now - 59)
    }

    @Test func `a token that was issued in the future is accepted only within the clock skew`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(Self.time("iat", 61)) }
        #expect(refusal == IDTokenError(.issuedInTheFuture))
        app.server.inject(Self.time("iat", 60))
        #expect(try await app.signIn().idToken?.claims["iat"]?.integer == Self.now + 60)
    }

    @Test func `a token that is not valid yet is accepted only within the clock skew`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal { $0.inject(Self.time("nbf", 61)) }
        #expect(refusal == IDTokenError(.notYetValid))
        app.server.inject(Self.time("nbf", 60))
        #expect(try await app.signIn().idToken?.claims["nbf"]?.integer == Self.now + 60)
    }

    @Test func `the app sets the accepted clock skew`() async throws {
        let strict = try await RelyingParty(settings: { $0.clockSkew = .zero })
        let refusal = try await strict.idTokenRefusal { $0.inject(Self.time("iat", 1)) }
        #expect(refusal == IDTokenError(.issuedInTheFuture))
        let ended = try await strict.idTokenRefusal { $0.inject(Self.time("exp", 0)) }
        #expect(ended == IDTokenError(.expired))
        let tolerant = try await RelyingParty(settings: { $0.clockSkew = .seconds(300) })
        tolerant.server.inject(Self.time("exp", -299), Self.time("iat", 300))
        #expect(try await tolerant.signIn().idToken?.claims["iat"]?.integer == Self.now + 300)
    }

    // MARK: The provider's clock

    @Test(arguments: [Duration.seconds(3_600), .seconds(-3_600), .seconds(86_400 * 400)])
    func `the Date field of the response corrects a wrong clock`(offset: Duration) async throws {
        let app = try await RelyingParty()
        app.server.clockOffset = offset
        var parameters = AuthorizationParameters()
        parameters.maximumAge = .seconds(300)
        let tokens = try await app.signIn(parameters)
        #expect(tokens.idToken?.claims["iat"]?.integer == Self.now + offset.components.seconds)
        #expect(try await app.refreshed(tokens).tokens.refreshToken != nil)
    }

    @Test func `the clocks may differ only by the skew if the response has no date`() async throws {
        let undated = InProcessProvider.Fault.headerField("Date", nil, at: .token)
        let app = try await RelyingParty()
        app.server.clockOffset = .seconds(3_600)
        app.server.inject(undated)
        let ahead = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(ahead?.underlying as? IDTokenError == IDTokenError(.issuedInTheFuture))
        app.server.clockOffset = .seconds(-3_600)
        app.server.inject(undated)
        let behind = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(behind?.underlying as? IDTokenError == IDTokenError(.expired))
        let tolerant = try await RelyingParty(settings: { $0.clockSkew = .seconds(3_600) })
        tolerant.server.clockOffset = .seconds(3_600)
        tolerant.server.inject(undated)
        #expect(try await tolerant.signIn().idToken != nil)
    }

    @Test func `a learned clock offset does not extend a token's lifetime`() async throws {
        let app = try await RelyingParty()
        app.server.clockOffset = .seconds(-3_600)
        let refusal = try await app.idTokenRefusal { $0.inject(Self.time("exp", -3_660)) }
        #expect(refusal == IDTokenError(.expired))
    }

    // MARK: max_age and auth_time

    private static let fiveMinutes: AuthorizationParameters = {
        var parameters = AuthorizationParameters()
        parameters.maximumAge = .seconds(300)
        return parameters
    }()

    @Test func `a maximum age is requested, and a new sign-in satisfies it`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn(Self.fiveMinutes)
        #expect(try app.onlyRequest(at: .authorization).queryValue("max_age") == "300")
        #expect(tokens.idToken?.claims["auth_time"]?.integer == Self.now)
    }

    @Test func `a sign-in that is older than the maximum age is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal(Self.fiveMinutes) { $0.inject(Self.time("auth_time", -361)) }
        #expect(refusal == IDTokenError(.authenticationTooOld))
        app.server.inject(Self.time("auth_time", -360))
        #expect(try await app.signIn(Self.fiveMinutes).idToken?.claims["auth_time"]?.integer == Self.now - 360)
    }

    /// OpenID Connect Core 1.0, 2: REQUIRED if max_age was requested.
    @Test func `a missing auth_time is refused only if a maximum age was requested`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal(Self.fiveMinutes) { $0.inject(.claim("auth_time", nil)) }
        #expect(refusal == IDTokenError(.missingClaim, claim: "auth_time"))
        app.server.inject(.claim("auth_time", nil))
        let claims = try #require(try await app.signIn().idToken?.claims)
        #expect(claims["auth_time"] == nil)
    }

    @Test(arguments: [.string("1800000000"), .integer(1_800_000_061), .null] as [JSONValue])
    func `an invalid auth_time is refused`(time: JSONValue) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.idTokenRefusal(Self.fiveMinutes) { $0.inject(.claim("auth_time", time)) }
        #expect(refusal == IDTokenError(.invalidClaim, claim: "auth_time"))
    }
}
