// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import OpenIDConnect
import Testing

/// [OpenID Connect Discovery 1.0, 4](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig).
@Suite struct DiscoveryTests {
    private static func document(
        issuer: String = Provider.issuer,
        authorization: String? = "https://provider.example/authorize",
        token: String? = "https://provider.example/token"
    ) -> String {
        let members = [
            ("issuer", issuer), ("authorization_endpoint", authorization), ("token_endpoint", token),
            ("jwks_uri", issuer + "/keys"), ("revocation_endpoint", issuer + "/revoke"),
        ]
        return "{" + members.compactMap { name, value in value.map { #""\#(name)":"\#($0)""# } }.joined(separator: ",")
            + "}"
    }

    @Test func `a provider's endpoints are read`() async throws {
        let metadata = try await Provider.discover()
        #expect(metadata.issuer.identifier == "https://provider.example")
        #expect(metadata.authorizationEndpoint.description == "https://provider.example/authorize")
        #expect(metadata.tokenEndpoint.description == "https://provider.example/oauth/token")
    }

    @Test(arguments: [
        ("https://provider.example", "/.well-known/openid-configuration"),
        ("https://provider.example/", "/.well-known/openid-configuration"),
        ("https://provider.example/tenant", "/tenant/.well-known/openid-configuration"),
        ("https://provider.example/tenant/", "/tenant/.well-known/openid-configuration"),
    ])
    func `the document is requested below the issuer, without credentials`(issuer: String, path: String) async throws {
        let transport = ScriptedTransport { _ in .json(Self.document(issuer: issuer)) }
        _ = try await ProviderMetadata.discover(issuer: Issuer(issuer), transport: transport)
        let request = try #require(transport.requests.first)
        #expect(request.head.path == path)
        #expect(request.head.method == .get)
        #expect(request.head.headerFields[.authorization] == nil)
        #expect(transport.requests.count == 1)
    }

    /// RFC 8414, 3.1: the well-known part goes between the host and the path.
    @Test func `a missing OAuth endpoint is read from the document of RFC 8414`() async throws {
        let issuer = "https://provider.example/o"
        let transport = ScriptedTransport { request in
            guard request.head.path?.hasSuffix("openid-configuration") == true else {
                return .json(
                    #"{"issuer":"https://provider.example/o","token_endpoint":"https://evil.example/","#
                        + #""revocation_endpoint":"https://provider.example/o/revoke"}"#
                )
            }
            return .json(Provider.document.replacing(Provider.issuer, with: issuer))
        }
        let metadata = try await ProviderMetadata.discover(issuer: Issuer(issuer), transport: transport)
        #expect(metadata.revocationEndpoint?.description == "https://provider.example/o/revoke")
        #expect(metadata.tokenEndpoint.description == "https://provider.example/o/oauth/token")
        #expect(transport.requests.last?.head.path == "/.well-known/oauth-authorization-server/o")
    }

    @Test(arguments: [
        #"{"issuer":"https://evil.example","revocation_endpoint":"https://evil.example/"}"#, "<html>", "{}",
        #"{"issuer":"https://provider.example","revocation_endpoint":"http://provider.example/"}"#,
    ])
    func `an invalid document of RFC 8414 changes nothing`(document: String) async throws {
        let transport = ScriptedTransport { request in
            request.head.path?.hasSuffix("openid-configuration") == true ? .json(Provider.document) : .json(document)
        }
        let metadata = try await ProviderMetadata.discover(issuer: Issuer(Provider.issuer), transport: transport)
        #expect(metadata.revocationEndpoint == nil)
    }

    @Test(arguments: [nil, 503, 425, 404])
    func `without the document of RFC 8414, the metadata stay as they are`(
        status: Int?
    ) async throws {
        let transport = ScriptedTransport { request in
            if request.head.path?.hasSuffix("openid-configuration") == true { return .json(Provider.document) }
            guard let status else { throw TransportError(.timedOut, mayHaveReachedServer: true) }
            return .json("{}", status: status)
        }
        var settings = ProviderSettings()
        settings.transport = transport
        let metadata = try await ProviderMetadata.discover(issuer: try Issuer(Provider.issuer), settings: settings)
        #expect(metadata.revocationEndpoint == nil)
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [
        "http://provider.example/token", "/token", "", "ftp://provider.example/token",
        "https://user@provider.example/token",
        "https://provider.example/token#x", "http://127.0.0.1.evil.example/token", "javascript:alert(1)",
    ])
    func `an unsafe endpoint is refused, and the error names it`(endpoint: String) async throws {
        let atToken = await #expect(throws: OpenIDError.self) {
            try await Provider.discover(Self.document(token: endpoint))
        }
        #expect(atToken == OpenIDError(.discovery, .invalidMember("token_endpoint")))
        let atAuthorization = await #expect(throws: OpenIDError.self) {
            try await Provider.discover(Self.document(authorization: endpoint))
        }
        #expect(atAuthorization == OpenIDError(.discovery, .invalidMember("authorization_endpoint")))
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:8081/token", nil), ("https://provider.example/token", nil),
            ("http://provider.example/token", OpenIDError(.discovery, .invalidMember("token_endpoint"))),
        ] as [(String, OpenIDError?)]
    )
    func `a loopback issuer does not allow plain http on another host`(endpoint: String, expected: OpenIDError?)
        async throws
    {
        let issuer = "http://127.0.0.1:8081"
        let document = Self.document(issuer: issuer, authorization: issuer + "/authorize", token: endpoint)
        do {
            _ = try await Provider.discover(document, issuer: issuer)
            #expect(expected == nil)
        } catch let error as OpenIDError {
            #expect(error == expected)
        }
    }

    @Test(arguments: ["", "<html></html>", "[]", "{}", #"{"issuer":1}"#, "null"])
    func `an invalid document is unreadable`(document: String) async throws {
        let error = await #expect(throws: OpenIDError.self) { try await Provider.discover(document) }
        #expect(error == OpenIDError(.discovery, .malformedResponse))
    }

    @Test func `the error names every missing member`() async throws {
        let error = await #expect(throws: OpenIDError.self) {
            try await Provider.discover(#"{"issuer":"https://provider.example","jwks_uri":null}"#)
        }
        let names = ["authorization_endpoint", "token_endpoint", "jwks_uri"]
        #expect(error == OpenIDError(.discovery, .missingMembers(names)))
    }

    @Test(arguments: [
        ("userinfo_endpoint", "1"), ("revocation_endpoint", #""http://provider.example/revoke""#),
        ("id_token_signing_alg_values_supported", #""RS256""#), ("scopes_supported", "[1]"),
        ("require_pushed_authorization_requests", #""yes""#),
    ])
    func `an invalid member is refused, and the error names it`(member: String, value: String) async throws {
        let document = Provider.document.dropLast() + #","\#(member)":\#(value)}"#
        let error = await #expect(throws: OpenIDError.self) { try await Provider.discover(String(document)) }
        #expect(error == OpenIDError(.discovery, .invalidMember(member)))
    }

    @Test(arguments: ["null", #""""#])
    func `unknown members are ignored, and null or an empty endpoint counts as absent`(value: String) async throws {
        var names = ["userinfo_endpoint", "revocation_endpoint", "device_authorization_endpoint"]
        if value == "null" { names += ["scopes_supported", "require_pushed_authorization_requests"] }
        let members = names.map { #","\#($0)":\#(value)"# }.joined()
        let metadata = try await Provider.discover(Provider.document.dropLast() + members + #","x":{"y":[1]}}"#)
        #expect(metadata.userInfoEndpoint == nil)
        #expect(metadata.revocationEndpoint == nil)
        #expect(metadata.deviceAuthorizationEndpoint == nil)
        #expect(metadata.scopesSupported == nil)
    }

    @Test func `an empty address of the keys is refused`() async throws {
        let document = Provider.document.replacing("https://provider.example/keys", with: "")
        let error = await #expect(throws: OpenIDError.self) { try await Provider.discover(document) }
        #expect(error == OpenIDError(.discovery, .invalidMember("jwks_uri")))
    }

    @Test(arguments: ["https://provider.example/", "https://login.provider.example"])
    func `a document of another issuer is refused with both names`(said: String) async throws {
        let error = await #expect(throws: OpenIDError.self) { try await Provider.discover(Self.document(issuer: said)) }
        #expect(error == OpenIDError(.discovery, .issuerMismatch))
        #expect(error?.otherAddress == said)
        #expect(error?.description == "The metadata document of \(Provider.issuer) names another issuer: \(said).")
    }

    // MARK: Addresses

    @Test(arguments: [
        ("https://a.example/.well-known/openid-configuration", "https://a.example"),
        ("https://a.example/t/.well-known/openid-configuration/", "https://a.example/t"),
        ("https://a.example/.well-known/oauth-authorization-server/t/1", "https://a.example/t/1"),
        ("https://a.example/.well-known/openid-configuration/t/", "https://a.example/t/"),
        ("https://a.example/t/", "https://a.example/t/"), ("", ""),
        ("https://a.example/.well-known/openid-configurations", "https://a.example/.well-known/openid-configurations"),
    ])
    func `the issuer is found in the address of its document`(address: String, issuer: String) {
        #expect(Issuer.identifier(fromDocumentAddress: address) == issuer)
    }

    private static func redirecting(to location: String) -> ScriptedTransport {
        ScriptedTransport { request in
            guard request.head.path == "/.well-known/openid-configuration" else { return .json(document()) }
            return .json("{}", status: 301, headers: [.location: location])
        }
    }

    @Test func `a redirect within the origin is followed to the document`() async throws {
        let location = "/.well-known/openid-configuration/"
        let transport = Self.redirecting(to: location)
        let metadata = try await ProviderMetadata.discover(issuer: Issuer(Provider.issuer), transport: transport)
        #expect(metadata.tokenEndpoint.description == "https://provider.example/token")
        #expect(transport.requests.map(\.head.path) == ["/.well-known/openid-configuration", location])
        #expect(transport.requests.allSatisfy { $0.head.authority == "provider.example" })
    }

    @Test(arguments: [
        "https://login.provider.example/.well-known/openid-configuration", "http://provider.example/",
        "https://provider.example:444/", "//evil.example/",
    ])
    func `a redirect to another origin is not followed, and the error names its target`(location: String) async throws {
        let transport = Self.redirecting(to: location + "?session=s")
        let error = await #expect(throws: OpenIDError.self) {
            try await ProviderMetadata.discover(issuer: Issuer(Provider.issuer), transport: transport)
        }
        #expect(error == OpenIDError(.discovery, .redirected))
        #expect(error?.description == "The provider sent a redirect, which is not followed: \(location).")
        #expect(transport.requests.count == 1)
    }

    @Test func `a circle of redirects ends`() async throws {
        let transport = Self.redirecting(to: "/.well-known/openid-configuration")
        let error = await #expect(throws: OpenIDError.self) {
            try await ProviderMetadata.discover(issuer: Issuer(Provider.issuer), transport: transport)
        }
        #expect(error == OpenIDError(.discovery, .redirected))
        #expect(transport.requests.count == 6)
    }

    @Test func `a document with a duplicate member is unreadable`() async throws {
        let document = Provider.document.dropLast() + #","token_endpoint":"https://evil.example"}"#
        let error = await #expect(throws: OpenIDError.self) { try await Provider.discover(String(document)) }
        #expect(error == OpenIDError(.discovery, .malformedResponse))
    }

    @Test func `a loopback endpoint of a remote provider is refused`() async throws {
        let error = await #expect(throws: OpenIDError.self) {
            try await Provider.discover(Self.document(token: "http://127.0.0.1:8080/token"))
        }
        #expect(error == OpenIDError(.discovery, .invalidMember("token_endpoint")))
    }

    @Test(arguments: [
        "localhost", "a.localhost.", "127.0.0.1", "127.1", "0x7f.1", "2130706433", "0.0.0.0", "10.0.0.1", "172.16.0.1",
        "192.168.0.1", "169.254.169.254", "[::]", "[::1]", "[::ffff:10.0.0.1]", "[fd00::1]", "[fe80::1]",
        "[fe80::1%25lo]", "%31%32%37.0.0.1",
    ])
    func `a remote provider names no local endpoint, not even over https`(host: String) async throws {
        let members = [
            "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "revocation_endpoint",
            "end_session_endpoint", "device_authorization_endpoint", "pushed_authorization_request_endpoint",
            "registration_endpoint",
        ]
        for member in members {
            let endpoints = members.map { name in
                #""\#(name)":"https://\#(name == member ? host : "provider.example"):8443/a""#
            }
            let document = #"{"issuer":"\#(Provider.issuer)",\#(endpoints.joined(separator: ","))}"#
            let error = await #expect(throws: OpenIDError.self) { try await Provider.discover(document) }
            #expect(error == OpenIDError(.discovery, .invalidMember(member)))
            #expect((error?.underlying as? BaseURLError)?.code == (host.contains("%25") ? .malformed : .localAddress))
        }
    }

    @Test(arguments: ["https://localhost", "https://10.0.0.5", "https://[fd00::5]:8443", "http://127.0.0.1:8080"])
    func `a local provider names local endpoints`(issuer: String) async throws {
        for host in ["localhost", "10.0.0.1", "[fe80::1]", "provider.example"] {
            let document = Self.document(issuer: issuer, token: "https://\(host)/token")
            #expect(
                try await Provider.discover(document, issuer: issuer).tokenEndpoint.description
                    == "https://\(host)/token"
            )
        }
    }

    @Test(
        arguments: [
            (302, OpenIDError(.discovery, .redirected)), (404, OpenIDError(.discovery, .unreachable)),
            (429, OpenIDError(.discovery, .rateLimited)), (500, OpenIDError(.discovery, .serverFailed)),
        ]
    )
    func `a response without the document has its code, its status and its pause`(
        status: Int,
        expected: OpenIDError
    ) async throws {
        let transport = ScriptedTransport { _ in .json("{}", status: status, headers: [.retryAfter: "7"]) }
        let error = await #expect(throws: OpenIDError.self) {
            try await ProviderMetadata.discover(issuer: Issuer(Provider.issuer), transport: transport)
        }
        #expect(error == expected)
        #expect(error?.status == status)
        #expect(error?.retryAfter == (status < 429 ? nil : .seconds(7)))
    }

    @Test func `a request without a response is unreachable`() async throws {
        let transport = ScriptedTransport { _ in throw TransportError(.hostNotFound, mayHaveReachedServer: false) }
        let error = await #expect(throws: OpenIDError.self) {
            try await ProviderMetadata.discover(issuer: Issuer(Provider.issuer), transport: transport)
        }
        #expect(error == OpenIDError(.discovery, .unreachable))
        #expect((error?.underlying as? APIError)?.code == .unreachable)
    }

    @Test(arguments: [
        "http://provider.example", "provider.example", "https://a@provider.example", "https://provider.example?a=b",
    ])
    func `an invalid issuer is refused`(issuer: String) {
        #expect(throws: BaseURLError.self) { try Issuer(issuer) }
    }
}
