// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Crypto
import Testing

@testable import OpenIDConnect

/// Client authentication with `private_key_jwt`, against a provider that checks each assertion and accepts it once.
///
/// [RFC 7523](https://www.rfc-editor.org/rfc/rfc7523),
/// [OpenID Connect Core 1.0, 9](https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication).
@Suite struct PrivateKeyJWTConformanceTests {
    private static let id = "web client:1"
    private static let key = P256.Signing.PrivateKey()

    private static func app(
        _ key: ClientAssertionKey? = nil,
        configure: (inout InProcessProvider.Configuration) -> Void = { _ in },
        fault: (InProcessProvider) -> Void = { _ in }
    ) async throws -> RelyingParty {
        let key = try key ?? ClientAssertionKey(pem: Self.key.pemRepresentation)
        return try await RelyingParty(
            .confidential(id: id, key: key),
            configure: {
                $0.clients = [.confidential(id: Self.id, publicKey: Self.key.publicKey.pemRepresentation)]
                configure(&$0)
            },
            fault: fault
        )
    }

    /// The assertions that the provider received, in order.
    private static func assertions(_ app: RelyingParty) throws -> [UnverifiedJWT] {
        try app.server.requests.compactMap { $0.formValue("client_assertion") }.map { try UnverifiedJWT($0) }
    }

    @Test func `every endpoint that authenticates the client gets an assertion of its own`() async throws {
        let app = try await Self.app()
        let tokens = try await app.signIn(usesPushedAuthorizationRequest: true)
        let renewed = try await app.refreshed(tokens)
        try await app.provider.revoke(try #require(renewed.tokens.refreshToken))
        _ = try await app.provider.deviceAuthorization(AuthorizationParameters())
        let requests = app.server.requests.filter { $0.formValue("client_assertion") != nil }
        let endpoints: [InProcessProvider.Endpoint?] = [
            .pushedAuthorizationRequest, .token, .token, .revocation, .deviceAuthorization,
        ]
        #expect(requests.map(\.endpoint) == endpoints)
        for request in requests {
            #expect(request.status.map { $0 < 300 } == true)
            #expect(request.formValue("client_assertion_type") == ClientAssertion.type)
            #expect(request.form.filter { $0.name == "client_id" }.map(\.value) == [Self.id])
            #expect(request.formValue("client_secret") == nil)
        }
        let claims = try Self.assertions(app).map(\.claims)
        #expect(Set(claims.compactMap { $0.all["jti"]?.string }).count == 5)
        #expect(claims.allSatisfy { $0.audience == [app.server.issuer] })
    }

    /// RFC 9449, 8: the request is repeated with the provider's nonce.
    @Test func `a request that is repeated for a DPoP nonce has a new assertion`() async throws {
        let app = try await Self.app { $0.requiresDPoPNonce = true }
        _ = try await app.signIn(dpopKey: DPoPKey())
        #expect(app.server.count(at: .token) == 2)
        let claims = try Self.assertions(app).map(\.claims)
        #expect(Set(claims.compactMap { $0.all["jti"]?.string }).count == 2)
    }

    @Test func `the token endpoint is the audience if the app says so`() async throws {
        var key = try ClientAssertionKey(pem: Self.key.pemRepresentation)
        key.audience = .tokenEndpoint
        let app = try await Self.app(key)
        _ = try await app.signIn()
        let audience = try #require(try Self.assertions(app).first).claims.audience
        #expect(audience == [app.server.url(of: .token)])
    }

    /// The token endpoint of hostile metadata may be another provider's, at which such an assertion would be accepted.
    @Test func `an assertion whose audience is the token endpoint goes to no other origin`() async throws {
        var key = try ClientAssertionKey(pem: Self.key.pemRepresentation)
        key.audience = .tokenEndpoint
        let elsewhere = JSONValue.string("https://evil.example/x")
        let app = try await Self.app(
            key,
            fault: { server in
                server.inject(
                    .responseMember("revocation_endpoint", elsewhere, at: .discovery),
                    .responseMember("device_authorization_endpoint", elsewhere, at: .discovery),
                    .responseMember("pushed_authorization_request_endpoint", elsewhere, at: .discovery)
                )
            }
        )
        let tokens = try await app.signIn()
        await #expect(throws: OpenIDError.self) {
            try await app.provider.revoke(try #require(tokens.tokens.refreshToken))
        }
        await #expect(throws: OpenIDError.self) {
            try await app.provider.deviceAuthorization(AuthorizationParameters())
        }
        await #expect(throws: OpenIDError.self) {
            try await app.provider.authorizationURL(for: app.request(), pushed: true)
        }
        let audiences = try Self.assertions(app).map(\.claims.audience)
        let (own, other) = ([app.server.url(of: .token)], [app.server.issuer])
        #expect(audiences == [own, other, other, other])
    }

    /// With a slow clock the assertion has expired; with a fast one it is of the future.
    @Test(arguments: [-3_600, 3_600])
    func `a request that is refused because of a wrong clock is repeated once, with the provider's time`(
        skew: Int
    ) async throws {
        let app = try await Self.app()
        app.server.clockOffset = .seconds(skew)
        // The second request has the right time at once.
        for count in 2...3 {
            _ = try await app.provider.authorizationURL(for: app.request(), pushed: true)
            #expect(app.server.count(at: .pushedAuthorizationRequest) == count)
        }
    }

    @Test func `another key is refused by the provider`() async throws {
        let app = try await Self.app(ClientAssertionKey(pem: P256.Signing.PrivateKey().pemRepresentation))
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error?.oauthCode == .invalidClient)
        #expect(app.server.count(at: .token) == 1)
    }

    @Test func `a failing signer prevents the request`() async throws {
        let key = ClientAssertionKey(algorithm: .es256) { _ in throw TokenFormatError(.empty, in: "key") }
        let app = try await Self.app(key)
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error == OpenIDError(.clientAssertion, .signingFailed))
        #expect(app.server.requests(at: .token).isEmpty)
    }
}
