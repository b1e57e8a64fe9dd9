// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// The clauses for clients, against a provider that breaks them or with a client that would.
///
/// [FAPI 2.0 Security Profile, 5.3.3](https://openid.net/specs/fapi-security-profile-2_0-final.html).
@Suite struct FAPI2Tests {
    private static let issuerParameter = "authorization_response_iss_parameter_supported"
    /// The claims of an access token that is bound to a certificate.
    private static let boundClaims = #"{"cnf":{"x5t#S256":"\#(String(repeating: "A", count: 43))"}}"#
    private let dpopKey = DPoPKey()

    /// Returns the client assertions that the provider received, in order.
    private static func assertions(_ app: RelyingParty) throws -> [UnverifiedJWT] {
        try app.server.requests.compactMap { $0.formValue("client_assertion") }.map { try UnverifiedJWT($0) }
    }

    /// Returns a JWT with claims and a meaningless signature.
    private static func jwt(_ claims: String) -> String {
        [#"{"alg":"ES256"}"#, claims, "s"].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    }

    // MARK: The whole

    @Test func `FAPI 5.3: a sign-in, two refreshes, userinfo and a revocation follow the profile`() async throws {
        let app = try await RelyingParty.fapi2(configure: {
            $0.requiresPushedAuthorizationRequests = true
            $0.requiresDPoPNonce = true
        })
        let tokens = try await app.signIn(dpopKey: dpopKey)
        let user = try await app.userInfo(tokens, dpopKey: dpopKey)
        #expect(user.email == "jane@example.com")
        let first = try await app.refreshed(tokens, dpopKey: dpopKey)
        let second = try await app.refreshed(first, dpopKey: dpopKey)
        try await app.provider.revoke(try #require(second.tokens.refreshToken))
        #expect(app.server.activeRefreshTokenCount == 0)
        let endpoints: [InProcessProvider.Endpoint?] = [.pushedAuthorizationRequest, .token, .revocation]
        for request in app.server.requests where endpoints.contains(request.endpoint) {
            #expect(request.formValue("client_assertion") != nil)
            #expect(request.formValue("client_secret") == nil)
        }
    }

    // MARK: 5.2.1 Requirements for all endpoints

    @Test func `FAPI 5.2.1, item 1: plain http beyond the machine is refused`() async throws {
        let issuer = try Issuer("http://id.internal", insecureHTTP: .insecurelyAllowHTTP)
        let transport = ScriptedTransport { _ in .json("{}") }
        var settings = ProviderSettings()
        settings.transport = transport
        settings.policy = .fapi2
        let (client, strict) = (try FAPI2Client.make(), settings)
        await #expect(throws: ClientPolicyError(.insecureHTTP)) {
            try await OpenIDProvider.discover(issuer: issuer, client: client, settings: strict)
        }
        await #expect(throws: ClientPolicyError(.insecureHTTP)) {
            try await OAuthProvider.discover(issuer: issuer, client: client, settings: strict)
        }
        // Metadata that were fetched before are refused, too.
        let document = Provider.document.replacing(Provider.issuer, with: issuer.identifier)
        let metadata = try ProviderMetadata(Array(document.utf8), of: issuer)
        let provider = OpenIDProvider(metadata: metadata, client: client, settings: strict)
        let token = try RefreshToken("r-1")
        await #expect(throws: ClientPolicyError(.insecureHTTP)) {
            try await provider.refreshed(with: token, previous: nil, dpopKey: dpopKey, sendGuard: { true })
        }
        #expect(transport.requests.isEmpty)
    }

    /// Nothing leaves the machine, so that a test can run against a provider on it.
    @Test func `FAPI 5.2.1, item 1: plain http to this machine is accepted`() async throws {
        let app = try await RelyingParty.fapi2(issuer: "http://127.0.0.1:8080")
        #expect(try await app.signIn(dpopKey: dpopKey).idToken != nil)
    }

    // MARK: 5.3.2.2 Authorization endpoint flows

    @Test(arguments: [
        "http://app.example/callback", "http://127.0.0.1.evil.example/callback", "myapp:/callback", "javascript:x",
        "callback", "", "https:",
    ])
    func `FAPI 5.3.2.2, item 8: a redirect that can be read or taken over is refused`(uri: String) async throws {
        let app = try await RelyingParty.fapi2()
        let request = app.request(redirectURI: uri, dpopKey: dpopKey)
        await app.expectRefusal(.insecureRedirectURI) {
            _ = try await app.provider.authorizationURL(for: request)
        }
    }

    @Test(arguments: [
        "https://app.example/callback", "http://127.0.0.1:40123/callback", "http://[::1]:1/callback",
        "com.example.app:/callback",
    ])
    func `FAPI 5.3.2.2, item 8: https, loopback and private-use schemes are accepted`(uri: String) async throws {
        let app = try await RelyingParty.fapi2(configure: {
            $0.clients = [FAPI2Client.registration(redirectURIs: [uri])]
        })
        let request = app.request(redirectURI: uri, dpopKey: dpopKey)
        #expect(try await app.provider.authorizationURL(for: request).contains("request_uri="))
    }

    // MARK: 5.3.3.1 General requirements

    @Test func `FAPI 5.3.3.1, item 1: tokens without a key are not requested`() async throws {
        let app = try await RelyingParty.fapi2()
        await app.expectRefusal(.tokensNotBound) { _ = try await app.signIn() }
        let tokens = try await app.signIn(dpopKey: dpopKey)
        let target = TokenTarget(scope: "email")
        await app.expectRefusal(.tokensNotBound) { _ = try await app.refreshed(tokens) }
        await app.expectRefusal(.tokensNotBound) { _ = try await app.provider.tokens(for: target) }
        _ = try await app.refreshed(tokens, dpopKey: dpopKey)
        _ = try await app.provider.tokens(for: target, dpopKey: dpopKey)
        let free = try await RelyingParty.fapi2(policy: .standard)
        #expect(try await free.signIn().idToken != nil)
    }

    /// The app checks the request when the code comes, too: it may have gone past the first check.
    @Test func `FAPI 5.3.3.1, item 1: a code is not exchanged without a key`() async throws {
        let app = try await RelyingParty.fapi2()
        let request = app.request(dpopKey: dpopKey)
        let response = try await app.response(to: request)
        let other = AuthorizationRequest(
            provider: request.provider,
            clientID: request.clientID,
            redirectURI: request.redirectURI,
            parameters: request.parameters,
            nonce: request.nonce,
            dpopKey: nil,
            state: request.state,
            codeVerifier: request.codeVerifier
        )
        await app.expectRefusal(.tokensNotBound) {
            _ = try await app.provider.tokens(for: response, to: other)
        }
        #expect(try await app.provider.tokens(for: response, to: request).idToken != nil)
    }

    @Test(arguments: ["Bearer", "mac"])
    func `FAPI 5.3.3.1, item 1: another token in place of a bound one is refused`(type: String) async throws {
        let app = try await RelyingParty.fapi2()
        app.server.inject(.responseMember("token_type", .string(type)))
        let error = await #expect(throws: TokenEndpointError.self) { try await app.signIn(dpopKey: dpopKey) }
        #expect(error?.code == .invalidResponse)
        let tokens = try await app.signIn(dpopKey: dpopKey)
        app.server.inject(.responseMember("token_type", .string(type)))
        await #expect(throws: TokenEndpointError.self) { try await app.refreshed(tokens, dpopKey: dpopKey) }
    }

    /// Returns an app with a certificate.
    ///
    /// - Parameters:
    ///   - isSupported: Whether the metadata say that the provider can bind tokens to a certificate.
    ///   - isRegistered: Whether the app says that its registration binds them.
    ///   - format: The form of the provider's access tokens.
    /// - Returns: The app.
    /// - Throws: No error for a provider with valid metadata.
    private static func certificateApp(
        isSupported: Bool,
        isRegistered: Bool,
        _ format: InProcessProvider.AccessTokenFormat = .opaque
    ) async throws -> RelyingParty {
        try await .fapi2(
            .confidential(id: FAPI2Client.id, tls: .selfSigned),
            certificateBoundTokens: isRegistered,
            configure: {
                $0.clients = [.public(id: FAPI2Client.id)]
                $0.accessTokenFormat = format
            },
            fault: {
                let member = "tls_client_certificate_bound_access_tokens"
                $0.inject(.responseMember(member, .boolean(isSupported), at: .discovery))
            },
            through: { MutualTLSTransport($0) }
        )
    }

    /// RFC 8705, 3.3 and 3.4: the provider supports it, and the client is registered for it.
    @Test(arguments: [true, false], [true, false])
    func `FAPI 5.3.3.1, item 1: tokens may be bound to a certificate`(
        isSupported: Bool,
        isRegistered: Bool
    ) async throws {
        let app = try await Self.certificateApp(isSupported: isSupported, isRegistered: isRegistered)
        #expect(app.provider.requiresDPoP == !(isSupported && isRegistered))
        #expect(app.provider.with(ProviderSettings()).requiresDPoP == app.provider.requiresDPoP)
        if isSupported && isRegistered {
            #expect(try await app.signIn().idToken != nil)
        } else {
            await app.expectRefusal(.tokensNotBound) { _ = try await app.signIn() }
            #expect(try await app.signIn(dpopKey: dpopKey).idToken != nil)
        }
    }

    /// RFC 8705, 3.4: such a registration has no effect on a client without a certificate.
    @Test func `FAPI 5.3.3.1, item 1: a client without a certificate needs a key`() async throws {
        let app = try await RelyingParty.fapi2(
            certificateBoundTokens: true,
            fault: {
                let member = "tls_client_certificate_bound_access_tokens"
                $0.inject(.responseMember(member, .boolean(true), at: .discovery))
            }
        )
        #expect(app.provider.requiresDPoP)
        await app.expectRefusal(.tokensNotBound) { _ = try await app.signIn() }
    }

    @Test func `FAPI 5.3.3.1, item 1: a JWT that is not bound to the certificate is refused`() async throws {
        let app = try await Self.certificateApp(isSupported: true, isRegistered: true, .jwt)
        let error = await #expect(throws: TokenEndpointError.self) { try await app.signIn() }
        #expect(error?.code == .invalidResponse)
        let bound = Self.jwt(Self.boundClaims)
        app.server.inject(.responseMember("access_token", .string(bound)), .removingClaim("at_hash"))
        #expect(try await app.signIn().tokens.accessToken.unredacted == bound)
        // A token that is bound to a DPoP key has no certificate in it.
        #expect(try await app.signIn(dpopKey: dpopKey).idToken != nil)
    }

    /// RFC 8705, 3.1: the SHA-256 of the certificate.
    @Test(arguments: [
        (boundClaims, true), (boundClaims.replacing("x5t#S256", with: "jkt"), false),
        (#"{"cnf":{"x5t#S256":"AAAA"}}"#, false), (#"{"cnf":{"x5t#S256":""}}"#, false),
        (#"{"cnf":{"x5t#S256":1}}"#, false), (#"{"cnf":"x5t#S256"}"#, false), ("{}", false),
    ])
    func `FAPI 5.3.3.1, item 1: a bound JWT names a certificate`(claims: String, isBound: Bool) throws {
        let token = try AccessToken(Self.jwt(claims))
        #expect(OpenIDProvider.mayBeBoundToCertificate(token) == isBound)
        let opaque = try AccessToken("a-1")
        #expect(OpenIDProvider.mayBeBoundToCertificate(opaque))
    }

    @Test func `FAPI 5.3.3.1, item 2: a client without a key of its own is refused`() async throws {
        let secret = try ClientSecret("s-1")
        let clients: [OpenIDClient] = [
            .public(id: FAPI2Client.id), .confidential(id: FAPI2Client.id, secret: secret, method: .basic),
            .confidential(id: FAPI2Client.id, secret: secret, method: .post),
            .confidential(id: FAPI2Client.id, identity: .file(path: "/no/such/file")),
        ]
        let token = try RefreshToken("r-1")
        for client in clients {
            let app = try await RelyingParty.fapi2(client)
            await app.expectRefusal(.clientAuthentication) { _ = try await app.signIn(dpopKey: dpopKey) }
            await app.expectRefusal(.clientAuthentication) { try await app.provider.revoke(token) }
        }
        let app = try await RelyingParty.fapi2()
        try await app.provider.revoke(token)
    }

    @Test func `FAPI 5.3.3.1, item 3: an access token is sent only in the header`() async throws {
        let app = try await RelyingParty.fapi2()
        let tokens = try await app.signIn(dpopKey: dpopKey)
        _ = try await app.userInfo(tokens, dpopKey: dpopKey)
        _ = try await app.refreshed(tokens, dpopKey: dpopKey)
        let token = tokens.tokens.accessToken.unredacted
        let shown = app.server.requests.compactMap { $0.fields[.authorization] }
        #expect(shown == ["DPoP \(token)"])
        for request in app.server.requests {
            #expect(!(request.query + request.form).contains { $0.value == token })
        }
    }

    @Test func `FAPI 5.3.3.1, item 5: the audience of an assertion is the issuer, as a string`() async throws {
        let app = try await RelyingParty.fapi2()
        _ = try await app.signIn(dpopKey: dpopKey)
        let audiences = try Self.assertions(app).map { $0.claims.all["aud"] }
        #expect(audiences == [.string(app.server.issuer), .string(app.server.issuer)])
        let other = try await RelyingParty.fapi2(try FAPI2Client.make(audience: .tokenEndpoint))
        await other.expectRefusal(.assertionAudience) { _ = try await other.signIn(dpopKey: dpopKey) }
    }

    @Test(arguments: [true, false])
    func `FAPI 5.3.3.1, item 6: a refresh works with and without rotation`(rotates: Bool) async throws {
        let app = try await RelyingParty.fapi2(configure: { $0.rotatesRefreshTokens = rotates })
        let tokens = try await app.signIn(dpopKey: dpopKey)
        let renewed = try await app.refreshed(tokens, dpopKey: dpopKey)
        #expect((renewed.tokens.refreshToken != nil) == rotates)
        #expect(renewed.tokens.accessToken != tokens.tokens.accessToken)
        #expect(app.server.sessionsEndedByReuse == 0)
    }

    @Test func `FAPI 5.3.3.1, item 7: a client with a certificate uses the aliases`() async throws {
        let app = try await RelyingParty.fapi2(
            .confidential(id: FAPI2Client.id, tls: .certificateAuthority),
            fault: {
                let url = "https://provider.example/mtls/token"
                let aliases: JSONValue = .object(["token_endpoint": .string(url)])
                $0.inject(.responseMember("mtls_endpoint_aliases", aliases, at: .discovery))
            },
            through: { MutualTLSTransport($0) }
        )
        #expect(app.provider.metadata.tokenEndpoint.description == "https://provider.example/mtls/token")
        let other = try await RelyingParty.fapi2()
        #expect(other.provider.metadata.tokenEndpoint.description == other.server.url(of: .token))
    }

    @Test func `FAPI 5.3.3.1, item 8: the nonce of a refusal is used in the next proof`() async throws {
        let app = try await RelyingParty.fapi2(configure: { $0.requiresDPoPNonce = true })
        let tokens = try await app.signIn(dpopKey: dpopKey)
        app.server.rotateDPoPNonce()
        _ = try await app.refreshed(tokens, dpopKey: dpopKey)
        #expect(app.server.requests(at: .pushedAuthorizationRequest).map(\.status) == [400, 201])
        #expect(app.server.requests(at: .token).map(\.status) == [200, 400, 200])
    }

    @Test func `FAPI 5.3.3.1, item 9: endpoints that were given by hand are refused`() async throws {
        let app = try await RelyingParty.fapi2()
        let metadata = try ProviderMetadata.endpoints(
            of: app.provider.metadata.issuer,
            authorizationEndpoint: app.server.url(of: .authorization),
            tokenEndpoint: app.server.url(of: .token)
        )
        let client = app.provider.client
        let provider = OAuthProvider(metadata: metadata, client: client, settings: app.provider.settings).server
        let target = TokenTarget(scope: "email")
        await app.expectRefusal(.metadataByHand) {
            _ = try await provider.tokens(for: target, dpopKey: dpopKey)
        }
    }

    @Test func `FAPI 5.3.3.1, item 11: metadata of another issuer are refused`() async throws {
        let error = await #expect(throws: DiscoveryError.self) {
            try await RelyingParty.fapi2(fault: {
                $0.inject(.responseMember("issuer", .string("https://evil.example"), at: .discovery))
            })
        }
        #expect(error?.code == .issuerMismatch)
    }

    @Test func `FAPI 5.3.3.1, item 12: a response to no request of the app is refused`() async throws {
        let app = try await RelyingParty.fapi2()
        app.server.inject(.callbackParameter("state", "other"))
        let error = await #expect(throws: AuthorizationError.self) { try await app.signIn(dpopKey: dpopKey) }
        #expect(error?.code == .stateMismatch)
        #expect(app.server.count(at: .token) == 0)
    }

    // MARK: 5.3.3.2 Authorization code flow

    @Test func `FAPI 5.3.3.2, item 1: another flow is refused`() async throws {
        let app = try await RelyingParty.fapi2()
        await app.expectRefusal(.grantNotAllowed) {
            _ = try await app.provider.deviceAuthorization(AuthorizationParameters())
        }
        let password = [("grant_type", "password"), ("username", "jane"), ("password", "p-1")]
        await app.expectRefusal(.grantNotAllowed) {
            _ = try await TokenEndpoint(provider: app.provider).exchange(password, dpopKey: dpopKey)
        }
        _ = try await app.signIn(dpopKey: dpopKey)
        #expect(try app.onlyRequest(at: .pushedAuthorizationRequest).formValue("response_type") == "code")
    }

    @Test func `FAPI 5.3.3.2, item 2: every request is pushed`() async throws {
        let app = try await RelyingParty.fapi2()
        _ = try await app.signIn(dpopKey: dpopKey, usesPushedAuthorizationRequest: false)
        #expect(app.server.count(at: .pushedAuthorizationRequest) == 1)
        let error = #expect(throws: AuthorizationError.self) { try app.request(dpopKey: dpopKey).url() }
        #expect(error?.code == .pushedAuthorizationFailed)
        let without = try await RelyingParty.fapi2(fault: {
            $0.inject(.removingResponseMember("pushed_authorization_request_endpoint", at: .discovery))
        })
        await without.expectRefusal(.pushNotSupported) { _ = try await without.signIn(dpopKey: dpopKey) }
    }

    @Test func `FAPI 5.3.3.2, item 3 and 4: each request has a new challenge with S256`() async throws {
        let app = try await RelyingParty.fapi2()
        for _ in 0..<2 { _ = try await app.signIn(dpopKey: dpopKey) }
        let requests = app.server.requests(at: .pushedAuthorizationRequest)
        #expect(requests.map { $0.formValue("code_challenge_method") } == ["S256", "S256"])
        #expect(Set(requests.compactMap { $0.formValue("code_challenge") }).count == 2)
    }

    @Test(arguments: [nil, "https://evil.example", "https://provider.example/"])
    func `FAPI 5.3.3.2, item 5: a response without its issuer is refused`(issuer: String?) async throws {
        // The provider does not announce that it sends the issuer.
        let silence: (InProcessProvider) -> Void = {
            $0.inject(.responseMember(Self.issuerParameter, .boolean(false), at: .discovery))
        }
        let change = issuer.map { InProcessProvider.Fault.callbackParameter("iss", $0) }
        let app = try await RelyingParty.fapi2(fault: silence)
        app.server.inject(change ?? .removingCallbackParameter("iss"))
        let error = await #expect(throws: AuthorizationError.self) { try await app.signIn(dpopKey: dpopKey) }
        #expect(error?.code == .issuerMismatch)
        #expect(app.server.count(at: .token) == 0)
        #expect(try await app.signIn(dpopKey: dpopKey).idToken != nil)
        let free = try await RelyingParty.fapi2(policy: .standard, fault: silence)
        free.server.inject(.removingCallbackParameter("iss"))
        #expect(try await free.signIn().idToken != nil)
    }

    /// The response to such a request would be accepted without `iss`.
    @Test func `FAPI 5.3.3.2, item 5: a request from other metadata is refused`() async throws {
        let app = try await RelyingParty.fapi2()
        var metadata = app.provider.metadata
        metadata.authorizationResponseIssParameterSupported = false
        let request = AuthorizationRequest(
            provider: metadata,
            clientID: FAPI2Client.id,
            redirectURI: RelyingParty.redirectURI,
            nonce: Nonce().unredacted,
            dpopKey: dpopKey
        )
        await app.expectRefusal(.issuerNotRequired) {
            _ = try await app.provider.authorizationURL(for: request)
        }
        let response = try AuthorizationResponse(query: "code=c-1&state=\(request.state.unredacted)", to: request)
        await app.expectRefusal(.issuerNotRequired) {
            _ = try await app.provider.tokens(for: response, to: request)
        }
    }

    @Test func `FAPI 5.3.3.2, item 6: the browser gets the client ID and the request URI alone`() async throws {
        let app = try await RelyingParty.fapi2()
        var parameters = AuthorizationParameters()
        parameters.loginHint = "jane@example.com"
        _ = try await app.signIn(parameters, dpopKey: dpopKey)
        #expect(try app.onlyRequest(at: .authorization).query.map(\.name) == ["client_id", "request_uri"])
        #expect(try app.onlyRequest(at: .pushedAuthorizationRequest).formValue("login_hint") == "jane@example.com")
    }

    @Test func `FAPI 5.3.3.2, item 7: a nonce has at most 64 characters`() async throws {
        let app = try await RelyingParty.fapi2()
        _ = try await app.signIn(dpopKey: dpopKey)
        let nonce = try app.onlyRequest(at: .pushedAuthorizationRequest).formValue("nonce")
        #expect(try #require(nonce).count == 64)
        #expect(Nonce().sha256.count == 64)
    }
}
