// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Synchronization
import Testing

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Client authentication with a TLS certificate, and the endpoints for it.
///
/// [RFC 8705](https://www.rfc-editor.org/rfc/rfc8705).
@Suite struct MutualTLSTests {
    private static let id = "tool"
    private static let client = OpenIDClient.confidential(id: id, tls: .certificateAuthority)
    private static let aliased: [(String, InProcessProvider.Endpoint)] = [
        ("token_endpoint", .token), ("revocation_endpoint", .revocation), ("userinfo_endpoint", .userInfo),
        ("pushed_authorization_request_endpoint", .pushedAuthorizationRequest),
        ("device_authorization_endpoint", .deviceAuthorization),
    ]

    /// The aliases of every endpoint that may have one.
    private static var aliases: JSONValue {
        let urls = aliased.map { ($0, JSONValue.string("https://provider.example/mtls" + $1.path)) }
        return .object(Dictionary(uniqueKeysWithValues: urls))
    }

    /// Returns an app, and the transport between it and its provider.
    private static func app(
        _ client: OpenIDClient = client,
        aliases: JSONValue? = aliases,
        presentsClientCertificate: Bool = true
    ) async throws -> (app: RelyingParty, transport: MutualTLSTransport) {
        let made = Mutex<MutualTLSTransport?>(nil)
        let app = try await RelyingParty(
            client,
            // The provider sees no TLS connection, and takes the client for a public one.
            configure: { $0.clients = [.public(id: id)] },
            settings: { $0.presentsClientCertificate = presentsClientCertificate },
            fault: { server in
                guard let aliases else { return }
                server.inject(.responseMember("mtls_endpoint_aliases", aliases, at: .discovery))
            },
            through: { server in
                let transport = MutualTLSTransport(server)
                made.withLock { $0 = transport }
                return transport
            }
        )
        return (app, try #require(made.withLock { $0 }))
    }

    /// Sends a request to each endpoint that may have an alias, and returns the paths.
    private static func paths(_ app: RelyingParty, _ transport: MutualTLSTransport) async throws -> Set<String> {
        let tokens = try await app.signIn(usesPushedAuthorizationRequest: true)
        _ = try await app.userInfo(tokens)
        let renewed = try await app.refreshed(tokens)
        _ = try await app.provider.deviceAuthorization(AuthorizationParameters())
        try await app.provider.revoke(try #require(renewed.tokens.refreshToken))
        return Set(transport.paths).subtracting(["/.well-known/openid-configuration", "/jwks"])
    }

    /// RFC 8705, 5: such a client MUST prefer the aliases.
    @Test func `a client with a certificate uses the aliases`() async throws {
        let (app, transport) = try await Self.app()
        let paths = try await Self.paths(app, transport)
        #expect(paths == Set(Self.aliased.map { "/mtls" + $0.1.path }))
    }

    @Test func `an endpoint without an alias is used as it is`() async throws {
        let one: JSONValue = .object(["token_endpoint": .string("https://provider.example/mtls/token")])
        let (app, transport) = try await Self.app(aliases: one)
        let paths = try await Self.paths(app, transport)
        #expect(paths == ["/mtls/token", "/revoke", "/userinfo", "/par", "/device-authorization"])
        let (plain, usual) = try await Self.app(aliases: nil)
        let usualPaths = try await Self.paths(plain, usual)
        #expect(usualPaths == Set(Self.aliased.map { $0.1.path }))
    }

    @Test func `another client ignores the aliases`() async throws {
        let (app, transport) = try await Self.app(.public(id: Self.id))
        let paths = try await Self.paths(app, transport)
        #expect(paths == Set(Self.aliased.map { $0.1.path }))
    }

    /// RFC 8705, 2 and 3: the form names the client, and the token is presented as a bearer token.
    @Test func `the form has the client ID and no other credential`() async throws {
        let (app, _) = try await Self.app()
        let tokens = try await app.signIn(usesPushedAuthorizationRequest: true)
        _ = try await app.userInfo(tokens)
        for endpoint in [InProcessProvider.Endpoint.token, .pushedAuthorizationRequest] {
            let request = try app.onlyRequest(at: endpoint)
            #expect(request.form.filter { $0.name == "client_id" }.map(\.value) == [Self.id])
            #expect(request.formValue("client_secret") == nil && request.formValue("client_assertion") == nil)
            #expect(request.fields[.authorization] == nil)
        }
        let shown = try app.onlyRequest(at: .userInfo).fields[.authorization]
        #expect(shown == "Bearer \(tokens.tokens.accessToken.unredacted)")
    }

    /// Without the certificate, the request would be one of a public client.
    @Test func `a client whose transport has no certificate sends nothing`() async throws {
        let (app, transport) = try await Self.app(presentsClientCertificate: false)
        let before = transport.paths
        let token = try RefreshToken("r-1")
        let request = app.request()
        await #expect(throws: ClientPolicyError(.noClientCertificate)) {
            try await app.provider.authorizationURL(for: request)
        }
        await #expect(throws: ClientPolicyError(.noClientCertificate)) {
            try await app.provider.tokens(for: TokenTarget())
        }
        await #expect(throws: ClientPolicyError(.noClientCertificate)) {
            try await app.provider.deviceAuthorization(AuthorizationParameters())
        }
        await #expect(throws: ClientPolicyError(.noClientCertificate)) { try await app.provider.revoke(token) }
        await #expect(throws: ClientPolicyError(.noClientCertificate)) {
            try await app.provider.refreshed(with: token, previous: nil, dpopKey: nil, sendGuard: { true })
        }
        #expect(transport.paths == before)
    }

    @Test(
        arguments: [
            .string("https://provider.example/token"), .array([]),
            .object(["token_endpoint": .string("http://provider.example/token")]),
            .object(["userinfo_endpoint": .string("https://provider.example/u#f")]),
            .object(["revocation_endpoint": .boolean(true)]),
        ] as [JSONValue]
    )
    func `an invalid alias makes the metadata invalid`(aliases: JSONValue) async throws {
        let error = await #expect(throws: DiscoveryError.self) { try await Self.app(aliases: aliases) }
        #expect(error?.code == .invalidMember)
        #expect(error?.members == ["mtls_endpoint_aliases"])
    }

    @Test func `an unknown alias and a null are ignored`() async throws {
        let unknown: JSONValue = .object(["other_endpoint": .boolean(true), "token_endpoint": .null])
        for aliases in [unknown, .null] {
            let (app, _) = try await Self.app(aliases: aliases)
            #expect(app.provider.metadata.mtlsEndpointAliases.isEmpty)
        }
    }

    @Test func `stored metadata keep the aliases and the binding of tokens`() async throws {
        let (app, _) = try await Self.app(.public(id: Self.id))
        var metadata = app.provider.metadata
        metadata.tlsClientCertificateBoundAccessTokens = true
        let bytes = Array(try JSONEncoder().encode(metadata.document))
        let stored = try ProviderMetadata(bytes, of: metadata.issuer)
        #expect(stored.mtlsEndpointAliases == metadata.mtlsEndpointAliases)
        #expect(stored.tlsClientCertificateBoundAccessTokens)
        #expect(metadata.mtlsEndpointAliases.count == Self.aliased.count)
    }
}
