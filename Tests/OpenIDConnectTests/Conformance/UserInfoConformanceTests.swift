// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// The checks of a userinfo response, by the OpenID Foundation's list of tests for relying parties.
///
/// [OpenID Connect Core 1.0, 5.3](https://openid.net/specs/openid-connect-core-1_0.html#UserInfo).
@Suite struct UserInfoConformanceTests {
    /// Returns an app whose userinfo responses are signed.
    private static func signing(
        _ algorithm: InProcessProvider.SigningAlgorithm = .es256,
        fault: (InProcessProvider) -> Void = { _ in }
    ) async throws -> RelyingParty {
        var client = InProcessProvider.Client.public(id: "native")
        client.userInfoAlgorithm = algorithm
        return try await RelyingParty(
            configure: { configuration in
                configuration.clients = [client]
                configuration.signingAlgorithms = algorithm == .es256 ? [.es256] : [.es256, algorithm]
            },
            fault: fault
        )
    }

    // MARK: The request

    @Test func `oidcc-client-test-userinfo-bearer-header: the token is sent only in the header`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        _ = try await app.userInfo(tokens)
        let request = try app.onlyRequest(at: .userInfo)
        #expect(request.fields[values: .authorization] == ["Bearer \(tokens.tokens.accessToken.unredacted)"])
        #expect(request.query.isEmpty)
        #expect(request.body.isEmpty)
    }

    /// RFC 6750, 2.2: not to be used if the header can be used.
    ///
    /// The module is passed because this method is never used.
    @Test func `oidcc-client-test-userinfo-bearer-body: the token is never sent in a body`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        _ = try await app.userInfo(tokens)
        app.server.invalidateAccessTokens()
        let error = await #expect(throws: OpenIDError.self) { try await app.userInfo(tokens) }
        #expect(error == OpenIDError(.userInfo, .unauthorized))
        let requests = app.server.requests(at: .userInfo)
        #expect(requests.map(\.method) == ["GET", "GET"])
        #expect(requests.allSatisfy { $0.body.isEmpty && $0.fields[.contentType] == nil })
    }

    @Test(arguments: ["https://evil.example/userinfo", "https://provider.example/elsewhere"])
    func `the token does not follow a redirect of the userinfo endpoint`(target: String) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.userInfoRefusal {
            $0.inject(.redirect(to: target, at: .userInfo))
        }
        #expect(refusal == OpenIDError(.userInfo, .redirected))
        #expect(app.contactedOnlyProvider)
    }

    @Test(
        arguments: [
            (#"Bearer error="insufficient_scope", scope="more""#, #"{"error":"other"}"#, "insufficient_scope"),
            (#"Basic realm="x""#, #"{"error":"access_denied"}"#, "access_denied"),
            (#"Bearer error="TOKEN""#, "{}", nil), ("", #"{"error":"TOKEN"}"#, nil),
        ] as [(String, String, String?)]
    )
    func `RFC 6750, 3: an error has the provider's code and never the token`(
        challenge: String,
        body: String,
        code: String?
    ) async throws {
        let app = try await RelyingParty(through: { server in
            ChangedTransport(
                base: server,
                changeResponse: { request, answer in
                    guard request.path == InProcessProvider.Endpoint.userInfo.path else { return }
                    let token = request.head.headerFields[.authorization]?.split(separator: " ").last ?? ""
                    answer.head.status = .forbidden
                    answer.head.headerFields[.wwwAuthenticate] = challenge.replacing("TOKEN", with: token)
                    answer.body = Array(body.replacing("TOKEN", with: token).utf8)
                }
            )
        })
        let tokens = try await app.signIn()
        let error = await #expect(throws: OpenIDError.self) { try await app.userInfo(tokens) }
        #expect(error == OpenIDError(.userInfo, .refused))
        #expect(error?.oauthCode?.rawValue == code)
        #expect(error?.description.contains("(\(code ?? "status 403"))") == true)
    }

    // MARK: Claims of scopes

    @Test func `oidcc-client-test-scope-userinfo-claims: a scope returns its claims and no others`() async throws {
        let app = try await RelyingParty()
        let email = try await app.userInfo(try await app.signIn(AuthorizationParameters(scope: "openid email")))
        #expect(email.email == "jane@example.com")
        #expect(email.isEmailVerified == true)
        #expect(email.name == nil)
        let profile = try await app.userInfo(try await app.signIn(AuthorizationParameters(scope: "openid profile")))
        #expect(profile.name == "Jane Doe")
        #expect(profile.email == nil)
        #expect(
            app.server.requests(at: .authorization).map { $0.queryValue("scope") } == [
                "openid email", "openid profile",
            ]
        )
    }

    // MARK: The subject

    @Test(arguments: ["another-person", "248289761001 ", "", "24828976100\u{0661}"])
    func `oidcc-client-test-userinfo-invalid-sub: claims of another subject are refused`(subject: String)
        async throws
    {
        let app = try await RelyingParty()
        let refusal = try await app.userInfoRefusal { $0.inject(.claim("sub", .string(subject), at: .userInfo)) }
        #expect(refusal == OpenIDError(.userInfo, .subjectMismatch))
    }

    @Test(arguments: [nil, .integer(248_289_761_001), .null] as [JSONValue?])
    func `oidcc-client-test-userinfo-missing-sub: claims without a subject are refused`(subject: JSONValue?)
        async throws
    {
        let app = try await RelyingParty()
        let refusal = try await app.userInfoRefusal { server in
            server.inject(
                subject.map { InProcessProvider.Fault.claim("sub", $0, at: .userInfo) }
                    ?? .claim("sub", nil, at: .userInfo)
            )
        }
        #expect(refusal == OpenIDError(.userInfo, .missingSubject))
    }

    @Test(
        arguments: [
            (.html(at: .userInfo), OpenIDError(.userInfo, .malformedResponse)),
            (.body("[]", at: .userInfo), OpenIDError(.userInfo, .malformedResponse)),
            (.body(#"{"sub":"a","sub":"b"}"#, at: .userInfo), OpenIDError(.userInfo, .malformedResponse)),
            (.status(503, at: .userInfo), OpenIDError(.userInfo, .serverFailed)),
            (.status(425, at: .userInfo), OpenIDError(.userInfo, .serverFailed)),
            (.status(500, at: .userInfo), OpenIDError(.userInfo, .serverFailed)),
            (.status(429, at: .userInfo), OpenIDError(.userInfo, .rateLimited)),
            (.status(403, at: .userInfo), OpenIDError(.userInfo, .refused)),
            (.unreachable(at: .userInfo), OpenIDError(.userInfo, .unreachable)),
            (.dropResponse(at: .userInfo), OpenIDError(.userInfo, .unreachable)),
        ] as [(InProcessProvider.Fault, OpenIDError)]
    )
    func `each failure of the userinfo endpoint has its code`(fault: InProcessProvider.Fault, code: OpenIDError)
        async throws
    {
        let app = try await RelyingParty()
        #expect(try await app.userInfoRefusal { $0.inject(fault) } == code)
    }

    // MARK: Signed responses

    /// Flag characters take quadratic time if a parser walks them from the end.
    @Test(.timeLimit(.minutes(1)), arguments: [" ", "\n", "\u{1F1E9}"])
    func `a signed response of megabytes is rejected in linear time`(padding: String) async throws {
        let megabytes = String(repeating: padding, count: 6_000_000 / padding.utf8.count)
        let app = try await Self.signing()
        let refusal = try await app.userInfoRefusal {
            $0.inject(.body("x\(megabytes)x", type: "application/jwt", at: .userInfo))
        }
        #expect(refusal == OpenIDError(.userInfo, .malformedResponse))
    }

    @Test func `oidcc-client-test-userinfo-signed: claims that the provider signed are accepted`() async throws {
        let app = try await Self.signing()
        let info = try await app.userInfo(try await app.signIn())
        #expect(info.email == "jane@example.com")
        #expect(info.claims["aud"]?.string == "native")
    }

    @Test(
        arguments: [
            (.signature(.wrong, at: .userInfo), IDTokenError(.invalidSignature)),
            (.signature(.unsigned, at: .userInfo), IDTokenError(.algorithmNotAllowed)),
            (.signature(.hs256, at: .userInfo), IDTokenError(.algorithmNotAllowed)),
            (.signature(.keyInHeader, at: .userInfo), IDTokenError(.invalidSignature)),
            (.signature(.unknownKey, at: .userInfo), IDTokenError(.unknownKey)),
            (.signature(.unknownCriticalHeader, at: .userInfo), IDTokenError(.extensionNotUnderstood)),
            (.claim("iss", .string("https://evil.example"), at: .userInfo), IDTokenError(.issuerMismatch)),
            (.claim("iss", .string(""), at: .userInfo), IDTokenError(.issuerMismatch)),
            (.claim("aud", .string("another-client"), at: .userInfo), IDTokenError(.audienceMismatch)),
            (.claim("aud", .array([]), at: .userInfo), IDTokenError(.audienceMismatch)),
            (.body("no token", type: "application/jwt", at: .userInfo), IDTokenError(.malformed)),
        ] as [(InProcessProvider.Fault, IDTokenError)]
    )
    func `signed claims are verified like an ID token`(
        fault: InProcessProvider.Fault,
        reason: IDTokenError
    ) async throws {
        let app = try await Self.signing()
        let refusal = try await app.userInfoRefusal { $0.inject(fault) }
        #expect(refusal == OpenIDError(.userInfo, .idToken(reason)))
    }

    /// Core, 5.3.2: both SHOULD be there.
    @Test(arguments: ["iss", "aud"]) func `signed claims that name no issuer or no audience are accepted`(
        claim: String
    ) async throws {
        let app = try await Self.signing()
        let tokens = try await app.signIn()
        app.server.inject(.claim(claim, nil, at: .userInfo))
        #expect(try await app.userInfo(tokens).email == "jane@example.com")
    }

    /// RFC 6750, 3.1, demands 401.
    @Test func `a 400 with invalid_token rejects the access token`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.userInfoRefusal {
            $0.inject(.error("invalid_token", status: 400, at: .userInfo))
        }
        #expect(refusal == OpenIDError(.userInfo, .unauthorized))
        #expect(refusal.oauthCode == .invalidToken)
    }

    @Test func `signed claims of another subject are refused`() async throws {
        let app = try await Self.signing()
        let refusal = try await app.userInfoRefusal {
            $0.inject(.claim("sub", .string("another-person"), at: .userInfo))
        }
        #expect(refusal == OpenIDError(.userInfo, .subjectMismatch))
    }

    /// OpenID Connect Discovery 1.0, 3: the two lists are independent.
    @Test func `claims may be signed with another algorithm than ID tokens`() async throws {
        let app = try await Self.signing(.edDSA) { server in
            server.inject(
                .responseMember("id_token_signing_alg_values_supported", .array([.string("ES256")]), at: .discovery),
                .responseMember("userinfo_signing_alg_values_supported", .array([.string("EdDSA")]), at: .discovery)
            )
        }
        let tokens = try await app.signIn()
        #expect(try UnverifiedJWT(try #require(tokens.tokens.idToken)).header.algorithm == "ES256")
        #expect(try await app.userInfo(tokens).email == "jane@example.com")
    }

    @Test func `signed claims are refused if the provider does not list their algorithm`() async throws {
        let app = try await Self.signing(.edDSA) { server in
            server.inject(
                .responseMember("userinfo_signing_alg_values_supported", .array([.string("ES256")]), at: .discovery)
            )
        }
        let tokens = try await app.signIn()
        let error = await #expect(throws: OpenIDError.self) { try await app.userInfo(tokens) }
        #expect(error?.underlying as? IDTokenError == IDTokenError(.algorithmNotAllowed))
    }
}
