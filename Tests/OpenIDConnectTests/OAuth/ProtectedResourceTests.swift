// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// Authorization servers that an API names (RFC 9728).
@Suite struct ProtectedResourceTests {
    private static let api = "https://mcp.example.com/mcp"

    private static func resource(_ resource: String = api, servers: String = #"["https://auth.example/tenant"]"#)
        -> String
    {
        #"{"resource":"\#(resource)","authorization_servers":\#(servers),"scopes_supported":["read","write"]}"#
    }

    private static let server = """
        {"issuer":"https://auth.example/tenant","authorization_endpoint":"https://auth.example/a",\
        "token_endpoint":"https://auth.example/t","token_endpoint_auth_methods_supported":["none"]}
        """

    private static func settings(
        _ respond: @escaping @Sendable (String) -> TransportResponse
    ) -> (settings: ProviderSettings, transport: ScriptedTransport) {
        let transport = ScriptedTransport { request in
            respond((request.head.authority ?? "") + (request.head.path ?? ""))
        }
        var settings = ProviderSettings()
        settings.transport = transport
        return (settings, transport)
    }

    @Test func `the API's server, scopes and resource are used in every request`() async throws {
        let (settings, transport) = Self.settings { url in
            switch url {
            case "mcp.example.com/.well-known/oauth-protected-resource/mcp": .json(Self.resource())
            case "auth.example/.well-known/oauth-authorization-server/tenant": .json(Self.server)
            case "auth.example/t": .json(#"{"access_token":"a","token_type":"bearer","refresh_token":"r"}"#)
            default: .json("{}", status: 404)
            }
        }
        let metadata = try await ProviderMetadata.discover(resource: Self.api, settings: settings)
        let provider = OpenIDProvider.oauth(metadata: metadata, client: .public(id: "a"), settings: settings)
        let request = AuthorizationRequest(
            provider: provider.metadata,
            clientID: "a",
            redirectURI: "b:" + metadata.issuer.distinctRedirectPath,
            nonce: "n"
        )
        #expect(try request.form().filter { $0.0 == "resource" }.map(\.1) == [Self.api])
        #expect(request.parameters.scope == "read write")
        let response = try AuthorizationResponse(query: "code=c&state=\(request.state.unredacted)", to: request)
        let tokens = try await provider.tokens(for: response, to: request)
        _ = try await provider.refreshed(
            with: try #require(tokens.tokens.refreshToken),
            previous: nil,
            dpopKey: nil,
            sendGuard: { true }
        )
        let sent = transport.bodies.suffix(2).map {
            FormEncoding.decode(String(decoding: $0, as: UTF8.self))
        }
        for form in sent { #expect(form?.filter { $0.0 == "resource" }.map(\.1) == [Self.api]) }
    }

    /// The server of a hostile API may send the user to an honest server's page: by its metadata, or by a redirect.
    @Test(arguments: ["https://honest.example/a", "https://auth.example/a"])
    func `a server that only an API names must name itself in the response`(page: String) async throws {
        let mixed = Self.server.replacing("https://auth.example/a", with: page)
        let (settings, _) = Self.settings { url in
            url.contains("oauth-protected-resource") ? .json(Self.resource()) : .json(mixed)
        }
        let metadata = try await ProviderMetadata.discover(resource: Self.api, settings: settings)
        let provider = OpenIDProvider.oauth(metadata: metadata, client: .public(id: "a"), settings: settings)
        let request = AuthorizationRequest(provider: provider.metadata, clientID: "a", redirectURI: "b:/", nonce: "n")
        let query = "code=c&state=\(request.state.unredacted)"
        #expect(throws: OpenIDError(.authorization, .issuerMismatch)) {
            try AuthorizationResponse(query: query, to: request)
        }
        let named = query + "&iss=https://auth.example/tenant"
        #expect(throws: Never.self) { try AuthorizationResponse(query: named, to: request) }
    }

    @Test func `whatever is made of an issuer that an API names, a shared redirect URI is refused`() async throws {
        let keys = String(Self.server.dropLast()) + #","jwks_uri":"https://auth.example/k"}"#
        let (settings, _) = Self.settings { url in
            url.contains("oauth-protected-resource") ? .json(Self.resource()) : .json(keys)
        }
        let api = try await ProtectedResource.discover(Self.api, settings: settings)
        let issuer = api.authorizationServers[0].with(.standard)
        // The same server, which the app names: its metadata are not those of the API's issuer.
        let own = try Issuer(issuer.identifier)
        let known = try await ProviderMetadata.discover(issuer: own, settings: settings)
        let all = [
            try await ProviderMetadata.discover(resource: Self.api, settings: settings),
            try await ProviderMetadata.discover(authorizationServer: issuer, settings: settings),
            try await ProviderMetadata.discover(issuer: issuer, settings: settings),
            try ProviderMetadata.endpoints(
                of: issuer,
                authorizationEndpoint: "https://auth.example/a",
                tokenEndpoint: "https://auth.example/t"
            ),
        ]
        func url(_ provider: ProviderMetadata) throws -> String {
            try AuthorizationRequest(provider: provider, clientID: "a", redirectURI: "b:/", nonce: "n").url()
        }
        for metadata in all {
            #expect(throws: OpenIDError(.authorization, .distinctRedirectRequired)) { try url(metadata) }
        }
        #expect(throws: Never.self) { try url(known) }
    }

    @Test func `the API's challenge names the document if it is elsewhere`() async throws {
        let (settings, transport) = Self.settings { url in
            switch url {
            case "mcp.example.com/mcp":
                .json(
                    "{}",
                    status: 401,
                    headers: [
                        .wwwAuthenticate: #"Bearer resource_metadata="https://mcp.example.com/meta""#
                    ]
                )
            case "mcp.example.com/meta": .json(Self.resource())
            default: .json("{}", status: 404)
            }
        }
        let found = try await ProtectedResource.discover(Self.api, settings: settings)
        #expect(found.authorizationServers.map(\.identifier) == ["https://auth.example/tenant"])
        #expect(transport.requests.allSatisfy { $0.head.headerFields[.authorization] == nil })
    }

    private static let unsafeServer = OpenIDError(.discovery, .invalidMember("authorization_servers"))

    @Test(
        arguments: [
            (resource("https://mcp.example.com/other"), OpenIDError(.discovery, .resourceMismatch)),
            (resource("https://mcp.example.com/mcp/"), OpenIDError(.discovery, .resourceMismatch)),
            (resource(servers: "[]"), OpenIDError(.discovery, .missingMembers(["authorization_servers"]))),
            (resource(servers: #""https://auth.example""#), unsafeServer),
            (resource(servers: #"["http://auth.example"]"#), unsafeServer),
            (resource(servers: #"["http://127.0.0.1:1"]"#), unsafeServer),
            (resource(servers: #"["https://127.0.0.1:1"]"#), unsafeServer),
            (resource(servers: #"["https://auth.example","https://a.localhost"]"#), unsafeServer),
            (resource(servers: #"["https://0xa000001"]"#), unsafeServer),
            (resource(servers: #"["https://[fd00::1]"]"#), unsafeServer),
            ("[]", OpenIDError(.discovery, .malformedResponse)),
            ("<html>", OpenIDError(.discovery, .malformedResponse)),
        ] as [(String, OpenIDError)]
    )
    func `a document of another API, or without a safe server, is refused`(
        document: String,
        expected: OpenIDError
    ) async throws {
        let (settings, _) = Self.settings { _ in .json(document) }
        let error = await #expect(throws: OpenIDError.self) {
            try await ProtectedResource.discover(Self.api, settings: settings)
        }
        #expect(error == expected)
    }

    @Test func `an API on this machine may name a server there`() async throws {
        let api = "https://localhost/mcp"
        let (settings, _) = Self.settings { _ in .json(Self.resource(api, servers: #"["https://127.0.0.1:8443"]"#)) }
        let found = try await ProtectedResource.discover(api, settings: settings)
        #expect(found.authorizationServers.map(\.identifier) == ["https://127.0.0.1:8443"])
    }

    @Test(arguments: [
        "http://mcp.example.com/meta", "http://127.0.0.1:8080/meta", "ftp://mcp.example.com", "x",
        "https://localhost/meta", "https://127.1/meta",
        "https://169.254.169.254/meta", "https://[::ffff:192.168.0.1]/meta",
    ])
    func `a challenge can't lead to an unsafe address`(address: String) async throws {
        let (settings, _) = Self.settings { url in
            url == "mcp.example.com/mcp"
                ? .json("{}", status: 401, headers: [.wwwAuthenticate: #"Bearer resource_metadata="\#(address)""#])
                : .json("{}", status: 404)
        }
        let error = await #expect(throws: OpenIDError.self) {
            try await ProtectedResource.discover(Self.api, settings: settings)
        }
        #expect(error == OpenIDError(.discovery, .invalidMember("resource_metadata")))
    }
}
