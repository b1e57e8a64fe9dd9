// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// Discovery of a provider, and registration of an app.
///
/// `oidcc-client-test-discovery-webfinger-acct` and `-url` are not passed, on purpose: an app names its issuer. An
/// issuer is never looked up from user input, which would let an e-mail address decide where codes go.
/// [OpenID Connect Discovery 1.0, 4](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig).
@Suite struct DiscoveryConformanceTests {
    private static func refusal(of fault: InProcessProvider.Fault) async throws -> OpenIDError {
        let error = await #expect(throws: OpenIDError.self) {
            try await RelyingParty(fault: { $0.inject(fault) })
        }
        _ = try await RelyingParty()
        return try #require(error)
    }

    @Test func `oidcc-client-test-discovery-openid-config: every endpoint is read from the document`() async throws {
        let app = try await RelyingParty(issuer: "https://provider.example/tenant/1")
        let (metadata, server) = (app.provider.metadata, app.server)
        #expect(server.requests.map(\.path) == ["/tenant/1/.well-known/openid-configuration"])
        #expect(metadata.issuer.identifier == server.issuer)
        #expect(metadata.authorizationEndpoint.description == server.url(of: .authorization))
        #expect(metadata.tokenEndpoint.description == server.url(of: .token))
        #expect(metadata.jwksURI?.description == server.url(of: .jwks))
        #expect(metadata.userInfoEndpoint?.description == server.url(of: .userInfo))
        #expect(metadata.endSessionEndpoint?.description == server.url(of: .endSession))
        #expect(metadata.registrationEndpoint?.description == server.url(of: .registration))
        #expect(try await app.userInfo(try await app.signIn()).email == "jane@example.com")
    }

    /// The document alone decides the location of the keys.
    @Test func `oidcc-client-test-discovery-jwks-uri-keys: keys are fetched from the document's jwks_uri`() async throws
    {
        let app = try await RelyingParty(
            fault: {
                $0.inject(
                    .responseMember("jwks_uri", .string("https://provider.example/keys/v2?set=1"), at: .discovery)
                )
            },
            through: { server in
                ChangedTransport(
                    base: server,
                    changeRequest: { request in
                        guard request.head.path == "/keys/v2?set=1" else { return }
                        request.head.path = InProcessProvider.Endpoint.jwks.path
                    }
                )
            }
        )
        #expect(try await app.signIn().idToken != nil)
        #expect(app.server.count(at: .jwks) == 1)
        let elsewhere = try await RelyingParty(fault: {
            $0.inject(.responseMember("jwks_uri", .string("https://provider.example/none"), at: .discovery))
        })
        let error = await #expect(throws: OpenIDError.self) { try await elsewhere.signIn() }
        #expect(error?.underlying as? IDTokenError == IDTokenError(.keysUnavailable))
    }

    @Test(arguments: [
        "https://evil.example", "https://provider.example/", "https://provider.example:443", "HTTPS://provider.example",
        "",
    ])
    func `oidcc-client-test-discovery-issuer-mismatch: a document of another issuer is refused`(issuer: String)
        async throws
    {
        let refusal = try await Self.refusal(of: .responseMember("issuer", .string(issuer), at: .discovery))
        #expect(refusal == OpenIDError(.discovery, .issuerMismatch))
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `a document without a required member is refused, and the error names it`(member: String) async throws {
        let refusal = try await Self.refusal(of: .responseMember(member, nil, at: .discovery))
        #expect(refusal == OpenIDError(.discovery, .missingMembers([member])))
    }

    /// RFC 9700, 2.6: plain http exposes a secret to everyone on the network.
    @Test(arguments: [
        "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "revocation_endpoint",
        "end_session_endpoint", "device_authorization_endpoint", "pushed_authorization_request_endpoint",
        "registration_endpoint",
    ])
    func `an endpoint with plain http is refused`(member: String) async throws {
        let refusal = try await Self.refusal(
            of: .responseMember(member, .string("http://provider.example/x"), at: .discovery)
        )
        #expect(refusal == OpenIDError(.discovery, .invalidMember(member)))
    }

    @Test(
        arguments: [
            (
                .redirect(to: "https://evil.example/.well-known/openid-configuration", at: .discovery),
                OpenIDError(.discovery, .redirected)
            ),
            (.status(404, at: .discovery), OpenIDError(.discovery, .unreachable)),
            (.unreachable(at: .discovery), OpenIDError(.discovery, .unreachable)),
        ] as [(InProcessProvider.Fault, OpenIDError)]
    )
    func `a missing document is not fetched from another location`(
        fault: InProcessProvider.Fault,
        expected: OpenIDError
    ) async throws {
        #expect(try await Self.refusal(of: fault) == expected)
    }

    // MARK: Registration

    private static let metadata = ClientMetadata(name: "Recipes", redirectURIs: [RelyingParty.redirectURI])

    /// Returns a fault: an authentication method that the client doesn't know or has no secret for.
    private static func method(_ name: String) -> InProcessProvider.Fault {
        .responseMember("token_endpoint_auth_method", .string(name), at: .registration)
    }

    @Test(arguments: [true, false])
    func `oidcc-client-test-dynamic-registration: a registered client can sign a user in`(isPublic: Bool)
        async throws
    {
        let found = try await RelyingParty(configure: { $0.clients = [] })
        var metadata = Self.metadata
        metadata.isPublic = isPublic
        let settings = found.provider.settings
        let client = try await OpenIDClient.register(metadata, at: found.provider.metadata, settings: settings)
        #expect(client.authentication.name == (isPublic ? "none" : "client_secret_basic"))
        let request = try found.onlyRequest(at: .registration)
        #expect(request.fields[.contentType] == "application/json")
        let sent = try JSONValue.object(in: request.body)
        #expect(sent["application_type"]?.string == "native")
        #expect(sent["redirect_uris"]?.array == [.string(RelyingParty.redirectURI)])
        let provider = OpenIDProvider(metadata: found.provider.metadata, client: client, settings: settings)
        let ask = AuthorizationRequest(
            provider: provider.metadata,
            clientID: client.id,
            redirectURI: RelyingParty.redirectURI,
            nonce: Nonce().unredacted
        )
        let callback = try #require(found.server.authorize(try ask.url()).redirectURL)
        let response = try AuthorizationResponse(redirectedTo: callback, to: ask)
        #expect(try await provider.tokens(for: response, to: ask).idToken?.claims.audience == [client.id])
    }

    @Test(
        arguments: [
            (.error("invalid_redirect_uri", at: .registration), OpenIDError(.registration, .refused)),
            (.html(at: .registration), OpenIDError(.registration, .malformedResponse)),
            (.responseMember("client_id", nil, at: .registration), OpenIDError(.registration, .malformedResponse)),
            (method("private_key_jwt"), OpenIDError(.registration, .malformedResponse)),
            (method("client_secret_post"), OpenIDError(.registration, .malformedResponse)),
            (.status(503, at: .registration), OpenIDError(.registration, .serverFailed)),
            (.dropResponse(at: .registration), OpenIDError(.registration, .unreachable)),
            (
                .redirect(to: "https://evil.example/register", at: .registration),
                OpenIDError(.registration, .redirected)
            ),
        ] as [(InProcessProvider.Fault, OpenIDError)]
    )
    func `a failed registration reports its cause and is sent once`(
        fault: InProcessProvider.Fault,
        code: OpenIDError
    ) async throws {
        let app = try await RelyingParty()
        app.server.inject(fault)
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDClient.register(Self.metadata, at: app.provider.metadata, settings: app.provider.settings)
        }
        #expect(error == code)
        #expect(app.server.requests(at: .registration).count == 1)
        #expect(app.contactedOnlyProvider)
        let client = try await OpenIDClient.register(
            Self.metadata,
            at: app.provider.metadata,
            settings: app.provider.settings
        )
        #expect(client.authentication == .none)
    }

    /// RFC 7591, 3.2.1: a public client has no secret.
    @Test(arguments: [.string(""), .null] as [JSONValue])
    func `a secret that is null or empty is no secret`(secret: JSONValue) async throws {
        for method in [.string("none"), secret] {
            let app = try await RelyingParty()
            app.server.inject(
                .responseMember("client_secret", secret, at: .registration),
                .responseMember("token_endpoint_auth_method", method, at: .registration)
            )
            let client = try await OpenIDClient.register(
                Self.metadata,
                at: app.provider.metadata,
                settings: app.provider.settings
            )
            #expect(client.authentication == .none)
        }
    }
}
