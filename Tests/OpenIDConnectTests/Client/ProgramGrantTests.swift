// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// The requests of a program for its tokens, on the wire, against a provider that checks each signature.
///
/// [RFC 7523, 2](https://www.rfc-editor.org/rfc/rfc7523#section-2),
/// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
@Suite struct ProgramGrantTests {
    private static let issuer = "https://cluster.example"
    private static let subject = "system:serviceaccount:jobs:worker"
    private static let key = P256.Signing.PrivateKey()
    private static let target = TokenTarget(
        audiences: ["https://api.example"],
        resources: ["https://api.example/a", "https://api.example/b"],
        scope: "email"
    )

    private static func app(_ client: OpenIDClient) async throws -> RelyingParty {
        try await RelyingParty(
            client,
            configure: {
                $0.clients = [
                    .confidential(id: "federated", issuer: issuer, subject: subject),
                    .public(id: ""), .public(id: "native"),
                ]
                $0.trustedIssuers = [issuer: key.publicKey.pemRepresentation]
            }
        )
    }

    /// Returns an identity token of the issuer, valid for ten minutes.
    private static func identityToken(
        subject: String = ProgramGrantTests.subject,
        audience: String = "https://provider.example",
        signedBy key: P256.Signing.PrivateKey = ProgramGrantTests.key
    ) async throws -> String {
        let now = Int64(TestClock().date.timeIntervalSince1970)
        return try await ClientAssertionKey(pem: key.pemRepresentation).jwt(of: [
            "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience), "iat": .integer(now),
            "exp": .integer(now + 600),
        ])
    }

    private static func form(_ app: RelyingParty) throws -> [String] {
        try app.onlyRequest(at: .token).form.map { "\($0.name)=\($0.value)" }
    }

    private static let targetForm = [
        "audience=https://api.example", "resource=https://api.example/a", "resource=https://api.example/b",
        "scope=email",
    ]

    @Test func `an identity token authenticates the client in place of a signed assertion`() async throws {
        let token = try await Self.identityToken()
        let app = try await Self.app(.confidential(id: "federated", identity: .provided(named: "job") { token }))
        let tokens = try await app.provider.tokens(for: Self.target)
        #expect(tokens.scope == "email")
        let expected =
            ["grant_type=client_credentials"] + Self.targetForm + [
                "client_id=federated", "client_assertion_type=\(ClientAssertion.type)", "client_assertion=\(token)",
            ]
        #expect(try Self.form(app) == expected)
        let request = try app.onlyRequest(at: .token)
        #expect(request.fields[.authorization] == nil)
    }

    @Test func `an identity token is an assertion, and a program without a client ID sends none`() async throws {
        let token = try await Self.identityToken()
        let app = try await Self.app(.anonymous)
        let grant = ProgramGrant.jwtBearer(.provided(named: "job") { token })
        _ = try await app.provider.tokens(for: Self.target, by: grant)
        let type = "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer"
        #expect(try Self.form(app) == [type, "assertion=\(token)"] + Self.targetForm)
    }

    @Test func `an identity token is exchanged for an access token`() async throws {
        let token = try await Self.identityToken()
        let app = try await Self.app(.public(id: "native"))
        _ = try await app.provider.tokens(for: Self.target, by: .tokenExchange(.provided(named: "job") { token }))
        let expected =
            [
                "grant_type=urn:ietf:params:oauth:grant-type:token-exchange", "subject_token=\(token)",
                "subject_token_type=urn:ietf:params:oauth:token-type:jwt",
                "requested_token_type=urn:ietf:params:oauth:token-type:access_token",
            ] + Self.targetForm + ["client_id=native"]
        #expect(try Self.form(app) == expected)
    }

    @Test func `each request has a new assertion, for the audience of the key`() async throws {
        var key = try ClientAssertionKey(pem: Self.key.pemRepresentation, keyID: "k-1")
        key.audience = .tokenEndpoint
        let app = try await Self.app(.anonymous)
        let scope: [String: JSONValue] = ["scope": .string("email")]
        let grant = ProgramGrant.jwtBearer(issuer: Self.issuer, additionalClaims: scope, signedBy: key)
        for _ in 0..<2 {
            let tokens = try await app.provider.tokens(for: TokenTarget(), by: grant)
            #expect(tokens.scope == "email")
        }
        let sent = app.server.requests(at: .token).compactMap { $0.formValue("assertion") }
        #expect(Set(sent).count == 2)
        let token = try UnverifiedJWT(try #require(sent.first))
        #expect(token.header.keyID == "k-1")
        #expect(token.claims.audience == [app.server.url(of: .token)])
        #expect(token.claims.issuer == Self.issuer)
        #expect(token.claims.subject == nil)
    }

    // MARK: The claims of an assertion (RFC 7523, 3)

    /// Returns the claims of the assertion that a grant sends.
    private static func claims(_ grant: ProgramGrant) async throws -> UnverifiedClaims {
        let app = try await Self.app(.anonymous)
        _ = try? await app.provider.tokens(for: TokenTarget(), by: grant)
        return try UnverifiedJWT(try #require(try app.onlyRequest(at: .token).formValue("assertion"))).claims
    }

    private static func signed(
        subject: String? = nil,
        audience: String? = nil,
        lifetime: Duration = .seconds(300),
        _ more: [String: JSONValue] = [:]
    ) throws -> ProgramGrant {
        .jwtBearer(
            issuer: "robot",
            subject: subject,
            audience: audience,
            lifetime: lifetime,
            additionalClaims: more,
            signedBy: try ClientAssertionKey(pem: key.pemRepresentation)
        )
    }

    @Test func `the claims name the signer, the subject, the audience and the times`() async throws {
        let claims = try await Self.claims(try Self.signed(subject: "u1", ["scope": .string("a b")]))
        let now = Int64(TestClock().date.timeIntervalSince1970)
        #expect(claims["iss"] == .string("robot"))
        #expect(claims["sub"] == .string("u1"))
        #expect(claims["aud"] == .string("https://provider.example"))
        #expect(claims["iat"] == .integer(now))
        #expect(claims["exp"] == .integer(now + 300))
        #expect(claims["scope"] == .string("a b"))
    }

    @Test func `the app's audience takes the place of the key's, and a missing subject is not sent`() async throws {
        let claims = try await Self.claims(try Self.signed(audience: "https://other.example"))
        #expect(claims["aud"] == .string("https://other.example"))
        #expect(claims["sub"] == nil)
    }

    @Test(
        arguments: [(-5, 1), (0, 1), (60, 60), (3_600, 3_600), (3_601, 3_600), (Int64.max, 3_600)] as [(Int64, Int64)]
    )
    func `a lifetime is from one second to one hour`(seconds: Int64, expected: Int64) async throws {
        let claims = try await Self.claims(try Self.signed(lifetime: .seconds(seconds)))
        let now = Int64(TestClock().date.timeIntervalSince1970)
        #expect(claims["exp"] == .integer(now + expected))
    }

    @Test(arguments: ["iss", "sub", "aud", "iat", "exp", "jti"])
    func `an additional claim can't replace one that the library makes`(name: String) async throws {
        let forged = JSONValue.integer(9_999_999_999)
        let claims = try await Self.claims(try Self.signed([name: forged]))
        #expect(claims[name] != forged)
    }

    /// One character, two texts.
    @Test func `claims are told apart byte for byte`() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        func all(_ text: String) throws -> [ProgramGrant] {
            [
                .jwtBearer(issuer: text, signedBy: try ClientAssertionKey(pem: Self.key.pemRepresentation)),
                try Self.signed(subject: text), try Self.signed(audience: text),
                try Self.signed(["a": .string(text)]), try Self.signed([text: .integer(1)]),
                try Self.signed(["a": .array([.object(["b": .string(text)])])]),
                try Self.signed(["a": .integer(1), "b": .array([.null])]),
                try Self.signed(lifetime: .seconds(60)),
            ]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let names = try (try all(composed) + (try all(decomposed))).map { try encoder.encode($0.identity) }
        #expect(Set(names).count == 14)
        #expect(try all(composed).map { try encoder.encode($0.identity) } == Array(names.prefix(8)))
    }

    // MARK: Refusals

    /// The requests of each kind, with one identity token.
    private static func requests(_ token: String) -> [(OpenIDClient, ProgramGrant)] {
        let source = IdentityTokenSource.provided(named: "job") { token }
        return [
            (.confidential(id: "federated", identity: source), .clientCredentials),
            (.anonymous, .jwtBearer(source)), (.public(id: "native"), .tokenExchange(source)),
        ]
    }

    @Test func `a token of another key or for another server is refused`() async throws {
        let tokens = [
            try await Self.identityToken(signedBy: P256.Signing.PrivateKey()),
            try await Self.identityToken(audience: "https://other.example"),
        ]
        for token in tokens {
            for (client, grant) in Self.requests(token) {
                let app = try await Self.app(client)
                let error = await #expect(throws: OpenIDError.self) {
                    try await app.provider.tokens(for: TokenTarget(), by: grant)
                }
                #expect(error == OpenIDError(.token, .refused))
            }
        }
    }

    @Test func `no error repeats a token that the server quotes`() async throws {
        let token = try await Self.identityToken()
        for (client, grant) in Self.requests(token) {
            let app = try await Self.app(client)
            app.server.inject(.error("invalid_grant", description: "not accepted: \(token)", at: .token))
            let error = await #expect(throws: OpenIDError.self) {
                try await app.provider.tokens(for: TokenTarget(), by: grant)
            }
            #expect(error?.oauthCode == .invalidGrant)
            #expect(error?.serverMessage?.contains(token) != true)
        }
    }

    @Test func `the client's identity must be the registered one`() async throws {
        let token = try await Self.identityToken(subject: "system:serviceaccount:jobs:other")
        let app = try await Self.app(.confidential(id: "federated", identity: .provided(named: "job") { token }))
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.tokens(for: TokenTarget())
        }
        #expect(error?.oauthCode == .invalidClient)
    }

    @Test func `a token that can't be read prevents the request`() async throws {
        for (client, grant) in Self.requests("no token") {
            let app = try await Self.app(client)
            let error = await #expect(throws: OpenIDError.self) {
                try await app.provider.tokens(for: TokenTarget(), by: grant)
            }
            #expect(error == OpenIDError(.clientAssertion, .identityTokenMalformed))
            #expect(app.server.requests(at: .token).isEmpty)
        }
    }

    /// RFC 8693, 2.2.1.
    @Test func `an issued token of another type is refused`() async throws {
        let token = try await Self.identityToken()
        let app = try await Self.app(.public(id: "native"))
        let type = "urn:ietf:params:oauth:token-type:refresh_token"
        app.server.inject(.responseMember("issued_token_type", .string(type), at: .token))
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.tokens(for: Self.target, by: .tokenExchange(.provided(named: "job") { token }))
        }
        #expect(error == OpenIDError(.token, .invalidResponse))
    }

    @Test func `each endpoint that authenticates the client reads the identity token`() async throws {
        let token = try await Self.identityToken()
        let app = try await Self.app(.confidential(id: "federated", identity: .provided(named: "job") { token }))
        let tokens = try await app.provider.tokens(for: TokenTarget())
        try await app.provider.revoke(tokens.accessToken)
        let request = try app.onlyRequest(at: .revocation)
        #expect(request.formValue("client_assertion") == token)
        #expect(request.status == 200)
    }

    // MARK: Functions of the app that don't return

    /// The kinds of programs whose requests wait for a function of the app.
    enum Waiting: CaseIterable, Sendable {
        case identityOfClient
        case identityAsAssertion
        case identityAsSubject
        case signerOfClient
        case signerOfAssertion

        var reason: OpenIDError.Reason {
            switch self {
            case .identityOfClient, .identityAsAssertion, .identityAsSubject: .identityTokenUnreadable
            case .signerOfClient, .signerOfAssertion: .signingFailed
            }
        }

        func program(_ called: AsyncStream<Void>.Continuation) -> (OpenIDClient, ProgramGrant) {
            let source = IdentityTokenSource.provided(named: "job") {
                await ProgramGrantTests.silence(called)
                return ""
            }
            let key = ClientAssertionKey(algorithm: .es256) { _ in
                await ProgramGrantTests.silence(called)
                return []
            }
            return switch self {
            case .identityOfClient: (.confidential(id: "federated", identity: source), .clientCredentials)
            case .identityAsAssertion: (.anonymous, .jwtBearer(source))
            case .identityAsSubject: (.public(id: "native"), .tokenExchange(source))
            case .signerOfClient: (.confidential(id: "federated", key: key), .clientCredentials)
            case .signerOfAssertion: (.anonymous, .jwtBearer(issuer: "robot", signedBy: key))
            }
        }
    }

    /// Reports the call, and never returns, even if it is cancelled.
    private static func silence(_ called: AsyncStream<Void>.Continuation) async {
        called.yield()
        let (never, keep) = AsyncStream.makeStream(of: Never.self)
        await Task { for await _ in never {} }.value
        keep.finish()
    }

    /// Returns an app whose time limits a test clock measures, and its request for a token.
    private static func waiting(
        _ client: OpenIDClient,
        _ grant: ProgramGrant
    ) async throws -> (app: RelyingParty, request: Task<TokenSet, any Error>) {
        let clock = TestClock()
        let app = try await RelyingParty(client, clock: clock, settings: { $0.suspendingClock = clock })
        let provider = app.provider
        return (app, Task { try await provider.tokens(for: Self.target, by: grant) })
    }

    @Test(.timeLimit(.minutes(1)), arguments: Waiting.allCases)
    func `a function that never returns has the time of one request`(kind: Waiting) async throws {
        let (called, call) = AsyncStream.makeStream(of: Void.self)
        let (client, grant) = kind.program(call)
        let (app, request) = try await Self.waiting(client, grant)
        for await _ in called { break }
        app.clock.advance(by: app.provider.settings.timeout)
        let error = await #expect(throws: OpenIDError.self) { try await request.value }
        #expect(error == OpenIDError(.clientAssertion, kind.reason))
        #expect(app.server.requests(at: .token).isEmpty)
    }

    @Test(.timeLimit(.minutes(1)), arguments: Waiting.allCases)
    func `a cancelled caller does not wait for a function that never returns`(kind: Waiting) async throws {
        let (called, call) = AsyncStream.makeStream(of: Void.self)
        let (client, grant) = kind.program(call)
        let (app, request) = try await Self.waiting(client, grant)
        for await _ in called { break }
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(app.server.requests(at: .token).isEmpty)
    }
}
