// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// Redirect URIs by which the responses of two servers can be told apart (RFC 9700, 4.4.2).
@Suite struct DistinctRedirectTests {
    private static let loopback = "http://127.0.0.1:40123"
    private static let shared = loopback + "/callback"

    private static func issuer(isNamedByResource: Bool = true) throws -> Issuer {
        let issuer = try Issuer("https://auth.example/tenant")
        return isNamedByResource ? issuer.namedByResource() : issuer
    }

    /// Returns a request to a server that only an API names, unless the test says otherwise.
    private static func request(
        to redirectURI: String,
        isNamedByResource: Bool = true,
        announcesIssuer: Bool = false
    ) throws -> AuthorizationRequest {
        let document = """
            {"issuer":"https://auth.example/tenant","authorization_endpoint":"https://auth.example/a",\
            "token_endpoint":"https://auth.example/t","pushed_authorization_request_endpoint":"https://auth.example/p",\
            "authorization_response_iss_parameter_supported":\(announcesIssuer)}
            """
        let issuer = try issuer(isNamedByResource: isNamedByResource)
        return AuthorizationRequest(
            provider: try ProviderMetadata(Array(document.utf8), of: issuer, issuesIDTokens: false),
            clientID: "tool",
            redirectURI: redirectURI,
            nonce: "n"
        )
    }

    private static func response(to request: AuthorizationRequest, with more: String = "") throws
        -> AuthorizationResponse
    {
        try AuthorizationResponse(query: "code=c&state=\(request.state.unredacted)\(more)", to: request)
    }

    // MARK: The path

    @Test func `each issuer has a path of its own, which is the same forever`() throws {
        #expect(try Self.issuer().distinctRedirectPath == "/siZOntNmUatO8kpCCgDd0Q/callback")
        #expect(try Self.issuer(isNamedByResource: false).distinctRedirectPath == "/siZOntNmUatO8kpCCgDd0Q/callback")
        let other = try Issuer("https://auth.example").distinctRedirectPath
        #expect(other == "/ZE2J8ayaFIfCkeB3Lk-qeg/callback")
        #if os(Linux) || os(macOS)
        #expect(LoopbackRedirect(path: other).isUsable)
        #endif
    }

    @Test func `the metadata with the issuer's own path keep everything else`() throws {
        let before = try Self.request(to: Self.shared).provider
        let after = before.withDistinctRedirect()
        #expect(after.issuer.profile.redirect.path == before.issuer.distinctRedirectPath)
        #expect(after.issuer.isNamedByResource)
        #expect(after.document == before.document)
        var profile = after.issuer.profile
        profile.redirect.path = before.issuer.profile.redirect.path
        #expect(profile == before.issuer.profile)
    }

    // MARK: The request

    @Test(arguments: [
        shared, loopback, loopback + "/siZOntNmUatO8kpCCgDd0Q", loopback + "/siZOntNmUatO8kpCCgDd0Q/callback/",
        loopback + "/sizontnmuato8kpccgdd0q/callback", loopback + "/ZE2J8ayaFIfCkeB3Lk-qeg/callback",
        loopback + "/callback?x=/siZOntNmUatO8kpCCgDd0Q/callback",
        loopback + "/callback#/siZOntNmUatO8kpCCgDd0Q/callback", "com.example.app:/callback", "recipe://callback",
        "https://app.example/callback",
    ])
    func `a redirect URI that other issuers may share is refused before the browser opens`(redirectURI: String)
        async throws
    {
        let request = try Self.request(to: redirectURI)
        #expect(throws: OpenIDError(.authorization, .distinctRedirectRequired)) { try request.url() }
        let transport = ScriptedTransport { _ in .json(#"{"request_uri":"urn:x","expires_in":60}"#) }
        var settings = ProviderSettings()
        settings.transport = transport
        let provider = OpenIDProvider.oauth(metadata: request.provider, client: .public(id: "tool"), settings: settings)
        for pushed in [false, true] {
            await #expect(throws: OpenIDError(.authorization, .distinctRedirectRequired)) {
                try await provider.authorizationURL(for: request, pushed: pushed)
            }
        }
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [loopback, "com.example.app:", "https://app.example", "https://app.example/a"])
    func `a redirect URI with the issuer's own path needs no iss`(beginning: String) throws {
        let request = try Self.request(to: beginning + "/siZOntNmUatO8kpCCgDd0Q/callback")
        #expect(throws: Never.self) { try request.url() }
        #expect(throws: Never.self) { try Self.response(to: request) }
    }

    // MARK: The response

    @Test(arguments: [shared, "com.example.app:/callback"])
    func `a response without iss is refused, unless the redirect URI is the issuer's own`(redirectURI: String) throws {
        let request = try Self.request(to: redirectURI)
        #expect(throws: OpenIDError(.authorization, .issuerMismatch)) { try Self.response(to: request) }
        #expect(throws: OpenIDError(.authorization, .issuerMismatch)) {
            try Self.response(to: request, with: "&iss=https://honest.example")
        }
    }

    @Test(arguments: ["/callback", "/siZOntNmUatO8kpCCgDd0Q/callback"])
    func `a server that announces iss must send its own, at every redirect URI`(path: String) throws {
        let request = try Self.request(to: Self.loopback + path, announcesIssuer: true)
        #expect(throws: Never.self) { try request.url() }
        #expect(throws: Never.self) { try Self.response(to: request, with: "&iss=https://auth.example/tenant") }
        #expect(throws: OpenIDError(.authorization, .issuerMismatch)) { try Self.response(to: request) }
        #expect(throws: OpenIDError(.authorization, .issuerMismatch)) {
            try Self.response(to: request, with: "&iss=https://honest.example")
        }
    }

    @Test func `at another path, a response is refused`() throws {
        let request = try Self.request(to: Self.loopback + "/siZOntNmUatO8kpCCgDd0Q/callback")
        let query = "?code=c&state=\(request.state.unredacted)"
        for path in ["/callback", "/ZE2J8ayaFIfCkeB3Lk-qeg/callback", "/siZOntNmUatO8kpCCgDd0Q/callback/x"] {
            #expect(throws: OpenIDError(.authorization, .redirectMismatch)) {
                try AuthorizationResponse(redirectedTo: Self.loopback + path + query, to: request)
            }
        }
        let own = request.redirectURI + query
        #expect(throws: Never.self) { try AuthorizationResponse(redirectedTo: own, to: request) }
    }

    @Test func `a server that the app names may use any redirect URI, also without iss`() throws {
        let request = try Self.request(to: Self.shared, isNamedByResource: false)
        #expect(throws: Never.self) { try request.url() }
        #expect(throws: Never.self) { try Self.response(to: request) }
    }
}
