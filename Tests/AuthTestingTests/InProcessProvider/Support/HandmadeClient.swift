// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Crypto
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A relying party that writes every request by hand, so that the provider is tested by its wire format.
struct HandmadeClient {
    static let verifier = "a-code-verifier-of-more-than-forty-three-characters"
    static let redirectURI = "http://127.0.0.1:40123/callback"

    let clock = TestClock()
    let provider: InProcessProvider
    var id = "native"

    init(_ configure: (inout InProcessProvider.Configuration) -> Void = { _ in }) {
        var configuration = InProcessProvider.Configuration()
        configure(&configuration)
        let clock = clock
        provider = InProcessProvider(configuration: configuration, now: { clock.date })
        id = configuration.clients.first?.id ?? id
    }

    // MARK: The browser

    /// Returns the parameters of a valid authorization request; `changes` replaces some, or removes them if nil.
    func authorizationParameters(_ changes: [String: String?] = [:]) -> [String: String] {
        var parameters: [String: String] = [
            "response_type": "code",
            "client_id": id,
            "redirect_uri": Self.redirectURI,
            "scope": "openid profile email offline_access",
            "state": "the state",
            "nonce": "the-nonce",
            "code_challenge": Base64URL.encode(SHA256.hash(data: Data(Self.verifier.utf8))),
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { parameters[name] = value }
        return parameters
    }

    /// Returns the URL that the browser opens.
    func authorizationURL(_ changes: [String: String?] = [:]) -> String {
        let items = authorizationParameters(changes).map { ($0.key, $0.value) }
        return provider.url(of: .authorization) + "?" + FormEncoding.encode(items)
    }

    /// Returns a code from a callback.
    func code(_ changes: [String: String?] = [:]) -> String {
        provider.authorize(authorizationURL(changes)).parameter("code") ?? "no code"
    }

    // MARK: Requests

    func send(
        _ method: HTTPRequest.Method,
        _ url: String,
        _ fields: [String: String] = [:],
        more: HTTPFields = [:],
        body: [UInt8]? = nil
    ) async throws -> HandmadeResponse {
        let origin = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        var head = HTTPRequest(
            method: method,
            scheme: String(origin[0].dropLast()),
            authority: String(origin[2]),
            path: "/" + (origin.count > 3 ? origin[3] : "")
        )
        head.headerFields = more
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
        }
        return HandmadeResponse(try await provider.send(TransportRequest(head: head, body: body)))
    }

    func get(_ endpoint: InProcessProvider.Endpoint, token: String? = nil) async throws -> HandmadeResponse {
        try await send(.get, provider.url(of: endpoint), token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
    }

    func post(
        _ endpoint: InProcessProvider.Endpoint,
        _ form: [String: String],
        _ fields: [String: String] = [:],
        more: HTTPFields = [:]
    ) async throws -> HandmadeResponse {
        let items = form.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        let body = Array(FormEncoding.encode(items).utf8)
        return try await send(.post, provider.url(of: endpoint), type.merging(fields) { $1 }, more: more, body: body)
    }

    /// Returns the form that exchanges a code; `changes` replaces some parameters, or removes them if nil.
    func codeForm(_ code: String, _ changes: [String: String?] = [:]) -> [String: String] {
        var form = [
            "grant_type": "authorization_code",
            "client_id": id,
            "code": code,
            "redirect_uri": Self.redirectURI,
            "code_verifier": Self.verifier,
        ]
        for (name, value) in changes { form[name] = value }
        return form
    }

    func exchange(_ code: String, _ fields: [String: String] = [:]) async throws -> HandmadeResponse {
        try await post(.token, codeForm(code), fields)
    }

    func signIn(_ changes: [String: String?] = [:]) async throws -> HandmadeResponse {
        try await exchange(code(changes))
    }

    func refresh(_ token: String?, _ fields: [String: String] = [:]) async throws -> HandmadeResponse {
        let form = ["grant_type": "refresh_token", "client_id": id, "refresh_token": token ?? "none"]
        return try await post(.token, form, fields)
    }
}

/// A decoded response.
struct HandmadeResponse {
    let status: Int
    let fields: HTTPFields
    let text: String
    private let document: [String: JSONValue]?

    init(_ response: TransportResponse) {
        status = response.head.status.code
        fields = response.head.headerFields
        text = String(decoding: response.body, as: UTF8.self)
        document = try? JSONValue.object(in: response.body)
    }

    subscript(name: String) -> JSONValue? { document?[name] }

    var error: String? { self["error"]?.string }
    var accessToken: String? { self["access_token"]?.string }
    var refreshToken: String? { self["refresh_token"]?.string }
    var idToken: String { self["id_token"]?.string ?? "" }

    /// Returns the ID token's claims, unverified.
    func claims() throws -> [String: JSONValue] { try UnverifiedJWT(idToken).claims.all }

    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
}
