// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import OpenIDConnect

/// The consequences of the documents that known providers publish.
@Suite struct ProviderProfileTests {
    struct Vector: Decodable, CustomTestStringConvertible {
        struct Expectation: Decodable {
            let code: String
            let issuer: String
            let profile: String
            let scope: String
            let prompt: String
            let parameters: [String: String]
            let redirect: String
        }

        let comment: String
        let requested: String
        let document: JSONValue
        let expect: Expectation

        var testDescription: String { "\(requested): \(comment)" }
    }

    static let names = [
        "auth0", "cognito", "github", "gitlab", "google", "keycloak", "microsoft-common", "microsoft-consumers",
        "microsoft-domain", "microsoft-organizations", "okta", "okta-custom",
    ]

    static func vectors() throws -> [Vector] { try names.map { try Vectors.read("providers/\($0)") } }

    private func read(_ vector: Vector) throws -> ProviderMetadata {
        let bytes = Array(try JSONEncoder().encode(vector.document))
        return try ProviderMetadata(bytes, of: Issuer(vector.requested))
    }

    @Test(arguments: try vectors()) func `a published document brings its profile, scopes and parameters`(
        vector: Vector
    ) throws {
        guard vector.expect.code == "success" else {
            let error = #expect(throws: OpenIDError.self) { try read(vector) }
            guard case .missingMembers? = error?.reason, vector.expect.code == "missingMembers" else {
                Issue.record("\(vector.expect.code), and not \(String(describing: error))")
                return
            }
            return
        }
        let metadata = try read(vector)
        #expect(metadata.issuer.identifier == vector.expect.issuer)
        #expect(metadata.issuer.profile.name == vector.expect.profile)
        let request = AuthorizationRequest(
            provider: metadata,
            clientID: "native",
            redirectURI: "http://127.0.0.1:1/callback",
            nonce: "nonce"
        )
        let form = Dictionary(uniqueKeysWithValues: try request.form())
        #expect(form["scope"] == vector.expect.scope)
        #expect(form["prompt"] ?? "" == vector.expect.prompt)
        for (name, value) in vector.expect.parameters { #expect(form[name] == value) }
        #expect(request.parameters.additionalParameters == vector.expect.parameters)
        let redirect = metadata.issuer.profile.redirect
        let port = redirect.port == 0 ? "*" : "\(redirect.port)"
        let host = redirect.usesLocalhost ? "localhost" : "127.0.0.1"
        #expect("http://\(host):\(port)\(redirect.path)" == vector.expect.redirect)
    }

    @Test(arguments: try vectors()) func `a document's stored form brings the same scopes`(vector: Vector) throws {
        guard vector.expect.code == "success" else { return }
        let metadata = try read(vector)
        let stored = try ProviderMetadata(Array(JSONEncoder().encode(metadata.document)), of: metadata.issuer)
        #expect(AuthorizationParameters.usualScope(of: stored).description == vector.expect.scope)
    }

    @Test(arguments: [
        ("https://accounts.google.com", "google"), ("https://accounts.google.com/", "google"),
        ("https://accounts.google.com:8443", "standard"), ("https://accounts.google.com.example", "standard"),
        ("https://evil-accounts.google.com.example/common/v2.0", "standard"),
        ("https://login.microsoftonline.us/common/v2.0", "microsoft"), ("https://auth0.com", "standard"),
        ("https://evilauth0.com", "standard"), ("https://example.eu.auth0.com/", "auth0"),
        ("https://example.okta.com.evil.example", "standard"), ("https://cognito-idp.evil.example", "standard"),
        ("https://sso.example.com/auth/realms/a", "keycloak"), ("https://sso.example.com/realms", "standard"),
        ("http://127.0.0.1:8080/realms/a", "keycloak"), ("https://gitlab.com", "gitlab"),
        ("https://gitlab.example.com", "standard"), ("https://github.com/login/oauth", "github"),
    ])
    func `an issuer brings the profile of the provider that alone can have it`(issuer: String, name: String) throws {
        #expect(try Issuer(issuer).profile.name == name)
    }

    @Test func `known profiles are found by their names`() {
        for profile in ProviderProfile.known { #expect(ProviderProfile.named(profile.name) == profile) }
        #expect(Set(ProviderProfile.known.map(\.name)).count == 8)
        #expect(ProviderProfile.named("standard") == nil)
    }

    @Test func `an app makes its own profile`() async throws {
        var profile = ProviderProfile(name: "example")
        profile.scope = "openid jobs"
        profile.requestsOfflineAccess = false
        profile.offlineParameters = ["keep": "yes"]
        let transport = ScriptedTransport { _ in .json(Provider.document) }
        let issuer = try Issuer(Provider.issuer, profile: profile)
        let metadata = try await ProviderMetadata.discover(issuer: issuer, transport: transport)
        let request = AuthorizationRequest(provider: metadata, clientID: "a", redirectURI: "b:/", nonce: "n")
        let form = Dictionary(uniqueKeysWithValues: try request.form())
        #expect(form["scope"] == "openid jobs")
        #expect(form["keep"] == "yes")
        #expect(form["prompt"] == "consent")
    }

    // MARK: Scopes by what is offered

    private func parameters(
        scopes: [String]?,
        _ change: (inout AuthorizationParameters) -> Void = { _ in }
    ) async throws -> AuthorizationParameters {
        let list = scopes.map { #","scopes_supported":[\#($0.map { #""\#($0)""# }.joined(separator: ","))]"# } ?? ""
        let document = String(Provider.document.dropLast()) + list + "}"
        var parameters = AuthorizationParameters()
        change(&parameters)
        return try await Provider.request(document: document, parameters: parameters).parameters
    }

    @Test func `offline_access is requested with consent if the provider lists it or lists nothing`() async throws {
        for scopes in [nil, ["openid", "offline_access"]] {
            let parameters = try await parameters(scopes: scopes)
            #expect(parameters.scope == "openid profile email offline_access")
            #expect(parameters.prompt == [.consent])
        }
        let without = try await parameters(scopes: ["openid", "profile"])
        #expect(without.scope == "openid profile email")
        #expect(without.prompt.isEmpty)
    }

    @Test func `the app's own scopes are requested exactly, and consent is added to its prompt`() async throws {
        let own = try await parameters(scopes: ["openid"]) {
            $0.scope = "openid offline_access"
            $0.prompt = [.login]
        }
        #expect(own.scope?.description == "openid offline_access")
        #expect(own.prompt == [.login, .consent])
        // Core, 3.1.2.1: `none` can't be combined with another value.
        #expect(try await parameters(scopes: nil) { $0.prompt = [.none] }.prompt == [.none])
        #expect(try await parameters(scopes: nil) { $0.scope = "openid" }.prompt.isEmpty)
    }

    @Test func `an app's own value replaces the parameter of the profile, and no consent is requested for it`() throws {
        let google: Vector = try Vectors.read("providers/google")
        var parameters = AuthorizationParameters()
        parameters.additionalParameters = ["access_type": "online"]
        let completed = parameters.completed(for: try read(google))
        #expect(completed.additionalParameters == ["access_type": "online"])
        #expect(completed.prompt.isEmpty)
    }

    @Test func `a registration asks for the same scopes, and for a method that the provider announces`() async throws {
        for (methods, expected) in [
            (nil, "client_secret_basic"), ("none", "none"), ("client_secret_post", "client_secret_post"),
        ] as [(String?, String)] {
            let more = methods.map { #","token_endpoint_auth_methods_supported":["\#($0)"]"# } ?? ""
            let document =
                String(Provider.document.dropLast()) + more
                + #","registration_endpoint":"https://provider.example/register","scopes_supported":["openid"]}"#
            let transport = ScriptedTransport { _ in .json(#"{"client_id":"a","client_secret":"b"}"#, status: 201) }
            var settings = ProviderSettings()
            settings.transport = transport
            let metadata = try await Provider.discover(document)
            let app = ClientMetadata(redirectURIs: ["http://127.0.0.1/callback"])
            _ = try await OpenIDClient.register(app, at: metadata, settings: settings)
            let body = transport.bodies.last ?? []
            let sent = try JSONValue.object(in: body)
            #expect(sent["scope"]?.string == "openid profile email")
            #expect(sent["token_endpoint_auth_method"]?.string == expected)
        }
    }

    @Test func `a secret is sent in the way that the provider announces`() async throws {
        let secret = try ClientSecret("secret")
        for (methods, expected) in [
            ("", "client_secret_basic"), (#""client_secret_post""#, "client_secret_post"),
            (#""client_secret_post","client_secret_basic""#, "client_secret_basic"),
        ] {
            let more = methods.isEmpty ? "" : #","token_endpoint_auth_methods_supported":[\#(methods)]"#
            let metadata = try await Provider.discover(String(Provider.document.dropLast()) + more + "}")
            let client = OpenIDClient.confidential(id: "a", secret: secret, at: metadata)
            #expect(client.authentication.name == expected)
        }
    }

    @Test(arguments: ProviderProfile.known + [.standard])
    func `only Cognito's end session endpoint is not used`(profile: ProviderProfile) async throws {
        let app = try await RelyingParty(profile: profile)
        let request = EndSessionRequest(provider: app.provider, idToken: nil, redirectURI: nil)
        #expect((request == nil) == (profile.name == "cognito"))
    }

    @Test(arguments: ProviderProfile.known + [.standard])
    func `only Auth0 and GitHub get no secret in the device flow`(profile: ProviderProfile) async throws {
        let secret = try ClientSecret("secret-1")
        let app = try await RelyingParty(
            .confidential(id: "confidential", secret: secret, method: .post),
            profile: profile,
            configure: { $0.clients = [.confidential(id: "confidential", secret: "secret-1", authentication: .post)] }
        )
        _ = try? await app.provider.deviceAuthorization(AuthorizationParameters(scope: "openid"))
        let sent = try app.onlyRequest(at: .deviceAuthorization).formValue("client_secret")
        #expect((sent == nil) == ["auth0", "github"].contains(profile.name))
    }
}
