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

    // MARK: Where the document is

    private static let known = "mcp.example.com/.well-known/oauth-protected-resource"

    private static func challenge(_ parameters: String) -> TransportResponse {
        .json("{}", status: 401, headers: [.wwwAuthenticate: "Bearer \(parameters)"])
    }

    private static func page(_ status: Int) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: [.contentType: "Text/HTML; charset=utf-8"]),
            body: Array("<!doctype html>".utf8)
        )
    }

    @Test func `the API's challenge comes before the well-known address`() async throws {
        let (settings, transport) = Self.settings { url in
            switch url {
            case "mcp.example.com/mcp":
                Self.challenge(#"resource_metadata="https://mcp.example.com/meta", scope="read""#)
            case "mcp.example.com/meta": .json(Self.resource())
            default: .json(Self.resource(servers: #"["https://other.example"]"#))
            }
        }
        let found = try await ProtectedResource.discover(Self.api, settings: settings)
        #expect(found.authorizationServers.map(\.identifier) == ["https://auth.example/tenant"])
        #expect(found.challengedScope == "read")
        #expect(transport.requests.compactMap(\.head.path) == ["/mcp", "/meta"])
    }

    @Test func `an API that allows no GET gets an empty POST`() async throws {
        let transport = ScriptedTransport { request in
            switch (request.head.path, request.head.method) {
            case ("/mcp", .post): Self.challenge(#"resource_metadata="https://mcp.example.com/meta""#)
            case ("/mcp", _): .json("{}", status: 405)
            case ("/meta", _): .json(Self.resource())
            default: .json("{}", status: 404)
            }
        }
        var settings = ProviderSettings()
        settings.transport = transport
        let found = try await ProtectedResource.discover(Self.api, settings: settings)
        #expect(found.resource == Self.api)
        #expect(transport.requests.map(\.head.method) == [.get, .post, .get])
        #expect(transport.bodies.allSatisfy { $0.isEmpty })
    }

    @Test(arguments: [("", 404), ("", 403), ("", 401), ("", 200), ("/mcp", 404), ("/mcp", 405)])
    func `a refusal or a page at one address leads to the next one`(path: String, status: Int) async throws {
        let (settings, _) = Self.settings { url in
            switch url {
            case "mcp.example.com/mcp": Self.challenge(#"resource_metadata="https://mcp.example.com/gone""#)
            case Self.known + path: .json(Self.resource())
            default: Self.page(status)
            }
        }
        let found = try await ProtectedResource.discover(Self.api, settings: settings)
        #expect(found.authorizationServers.map(\.identifier) == ["https://auth.example/tenant"])
    }

    @Test func `an API without a document anywhere is not found, and a failing one may come back`() async throws {
        for (status, expected) in [
            (404, OpenIDError(.discovery, .unreachable)), (200, OpenIDError(.discovery, .unreachable)),
            (500, OpenIDError(.discovery, .serverFailed)),
        ] {
            let (settings, _) = Self.settings { url in
                // A document of another address says nothing of the API's while that one fails.
                url == Self.known && status == 500 ? .json(Self.resource()) : Self.page(status)
            }
            await #expect(throws: expected) { try await ProtectedResource.discover(Self.api, settings: settings) }
        }
    }

    // MARK: The resource

    @Test(arguments: [
        ("https://mcp.example.com/v1/mcp", "https://mcp.example.com/v1"),
        ("https://mcp.example.com/v1/mcp", "https://mcp.example.com/v1/"),
        ("https://mcp.example.com/v1/mcp", "https://mcp.example.com"),
        ("https://mcp.example.com/v1/mcp", "https://mcp.example.com/"),
        ("https://mcp.example.com/v1/mcp/", "https://mcp.example.com/v1/mcp"),
        ("https://mcp.example.com", "https://mcp.example.com/"),
        ("https://mcp.example.com/", "https://mcp.example.com"),
        ("https://MCP.example.com/v1", "https://mcp.example.com:443/v1"),
    ])
    func `a parent path of the API, or its origin, is requested as the API writes it`(
        api: String,
        resource: String
    ) async throws {
        let (settings, _) = Self.settings { url in
            url.contains("oauth-protected-resource") ? .json(Self.resource(resource)) : .json(Self.server)
        }
        let metadata = try await ProviderMetadata.discover(resource: api, settings: settings)
        #expect(metadata.issuer.profile.resources == [resource])
    }

    @Test(arguments: [
        "https://mcp.example.com/v1/mcp/deeper", "https://mcp.example.com/v1/mc", "https://mcp.example.com/v",
        "https://mcp.example.com/v2", "https://mcp.example.com:8443/v1", "http://mcp.example.com/v1",
        "https://example.com/v1", "https://mcp.example.com.evil.example/", "https://mcp.example.com@evil.example/v1",
        "https://mcp.example.com/v1/../v1", "mcp.example.com/v1", "https://mcp.example.com/v1#a", "",
    ])
    func `another API's document is refused, and the error names that API`(resource: String)
        async throws
    {
        let (settings, _) = Self.settings { _ in .json(Self.resource(resource)) }
        let error = await #expect(throws: OpenIDError.self) {
            try await ProtectedResource.discover("https://mcp.example.com/v1/mcp", settings: settings)
        }
        #expect(error == OpenIDError(.discovery, .resourceMismatch))
        #expect(error?.otherAddress ?? "" == resource)
    }

    /// The API of one path must not get a token for the whole host (RFC 9728, 3.3).
    @Test(arguments: [
        "https://evil.example/.well-known/oauth-protected-resource", "https://mcp.example.com/v1/mcp/metadata",
        "https://mcp.example.com/.well-known/oauth-protected-resourceful",
        "https://mcp.example.com:8443/.well-known/oauth-protected-resource",
    ])
    func `a document at an address of the API's choice names that API alone`(address: String) async throws {
        for (resource, isOwn) in [
            ("https://mcp.example.com", false), ("https://mcp.example.com/v1", false),
            ("https://mcp.example.com/v1/mcp", true),
        ] {
            let (settings, _) = Self.settings { url in
                switch "https://\(url)" {
                case "https://mcp.example.com/v1/mcp": Self.challenge(#"resource_metadata="\#(address)""#)
                case address: .json(Self.resource(resource))
                default: .json("{}", status: 404)
                }
            }
            let found = try? await ProtectedResource.discover("https://mcp.example.com/v1/mcp", settings: settings)
            #expect((found != nil) == isOwn, "\(resource)")
        }
    }

    // MARK: The scopes

    @Test(arguments: [
        (#"scope="write admin""#, "write admin"), (#"scope="""#, "read write"), (#"realm="x""#, "read write"),
    ])
    func `the challenge's scopes are requested, or else those of the document`(challenge: String, scope: Scope)
        async throws
    {
        let (settings, _) = Self.settings { url in
            switch url {
            case "mcp.example.com/mcp": Self.challenge(challenge)
            case Self.known + "/mcp": .json(Self.resource())
            default: .json(Self.server)
            }
        }
        let metadata = try await ProviderMetadata.discover(resource: Self.api, settings: settings)
        #expect(AuthorizationParameters().withDefaults(for: metadata).scope == scope)
    }

    // MARK: The authorization server

    private static let serverAddresses = [
        "auth.example/.well-known/oauth-authorization-server/tenant",
        "auth.example/.well-known/openid-configuration/tenant", "auth.example/tenant/.well-known/openid-configuration",
    ]

    @Test(arguments: serverAddresses, [404, 403, 200])
    func `the server's document is at one of three addresses, which are asked in order`(address: String, status: Int)
        async throws
    {
        let (settings, transport) = Self.settings { url in
            url == address ? .json(Self.server) : Self.page(status)
        }
        let issuer = try Issuer("https://auth.example/tenant")
        let metadata = try await ProviderMetadata.discover(authorizationServer: issuer, settings: settings)
        #expect(metadata.tokenEndpoint.description == "https://auth.example/t")
        let asked = transport.requests.map { ($0.head.authority ?? "") + ($0.head.path ?? "") }
        let position = try #require(Self.serverAddresses.firstIndex(of: address))
        #expect(asked == Array(Self.serverAddresses[...position]))
    }

    @Test func `an issuer that differs by a slash is refused, and the error names it`() async throws {
        let (settings, _) = Self.settings { url in
            url.contains("oauth-protected-resource")
                ? .json(Self.resource(servers: #"["https://auth.example/tenant/"]"#)) : .json(Self.server)
        }
        let error = await #expect(throws: OpenIDError.self) {
            try await ProviderMetadata.discover(resource: Self.api, settings: settings)
        }
        #expect(error == OpenIDError(.discovery, .issuerMismatch))
        #expect(error?.otherAddress == "https://auth.example/tenant")
    }

    // MARK: Client ID Metadata Documents

    private static func provider(readsDocuments: String) throws -> ProviderMetadata {
        let document = server.dropLast() + #","client_id_metadata_document_supported":\#(readsDocuments)}"#
        let issuer = try Issuer("https://auth.example/tenant")
        return try ProviderMetadata(Array(document.utf8), of: issuer, issuesIDTokens: false)
    }

    @Test func `the address of a client's metadata is a client ID if the server announces it`() throws {
        let id = "https://app.example/client.json"
        let client = try OpenIDClient.metadataDocument(id, at: try Self.provider(readsDocuments: "true"))
        #expect(client == .public(id: id))
        for said in ["false", "null"] {
            #expect(throws: OpenIDError(.registration, .clientIDMetadataDocumentUnsupported)) {
                try OpenIDClient.metadataDocument(id, at: Self.provider(readsDocuments: said))
            }
        }
        #expect(throws: OpenIDError(.discovery, .invalidMember("client_id_metadata_document_supported"))) {
            try Self.provider(readsDocuments: #""true""#)
        }
    }

    @Test(arguments: [
        "https://app.example", "https://app.example/", "http://app.example/a", "http://localhost/a", "app.example/a",
        "https://app.example/a#b", "https://user@app.example/a", "https://app.example/../a", "https://app.example/a b",
        "",
    ])
    func `another text is no address of a client's metadata`(id: String) throws {
        let provider = try Self.provider(readsDocuments: "true")
        #expect(throws: OpenIDError(.registration, .invalidRequest)) {
            try OpenIDClient.metadataDocument(id, at: provider)
        }
    }
}
