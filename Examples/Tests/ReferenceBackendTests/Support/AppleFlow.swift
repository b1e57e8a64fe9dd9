// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ReferenceBackend
import Testing

/// A sign-in with Apple in a browser that the backend carries out, one step at a time, by a user who may cheat.
struct AppleFlow: Sendable {
    let server: TestBackend
    var app = TestBackend.customerApp
    var address = "http://127.0.0.1:5555/callback"
    var email = "eve@example.com"
    var name = "Eve Example"

    static let verifier = String(repeating: "v", count: 43)
    static let state = "state-of-the-app-0123456789"

    /// The query of `start`.
    var query: [String: String] {
        [
            "client_id": app, "redirect_uri": address, "state": Self.state, "nonce": TestBackend.hashedNonce,
            "code_challenge": Data(SHA256.hash(data: Data(Self.verifier.utf8))).base64URL,
            "code_challenge_method": "S256",
        ]
    }

    /// Opens the backend's address.
    func start(_ changes: [String: String] = [:]) async throws -> TestResponse {
        try await server.get("/api/auth/apple/start?" + TestHTTP.encode(query.merging(changes) { $1 }))
    }

    /// Opens Apple's page, and returns the query of its address.
    func appleQuery(_ changes: [String: String] = [:]) async throws -> [String: String] {
        let location = try #require(try await start().header("Location"))
        #expect(try location.hasPrefix(server.standIn.origin + "/auth/authorize?"))
        return Self.items(location).merging(changes) { $1 }
    }

    /// Presses a button on Apple's page, and returns the form that Apple's page then posts by itself.
    func appleResponse(
        pressing action: String = "continue",
        _ changes: [String: String] = [:]
    ) async throws -> AppleForm {
        let user = ["action": action, "email": email, "name": name]
        let query = try await appleQuery(changes).merging(user) { $1 }
        let page = try await TestHTTP.post(server.standIn.origin + "/auth/authorize", form: query)
        #expect(page.status == 200)
        return try AppleForm(page.text)
    }

    /// Posts Apple's response to the backend.
    func callback(_ form: AppleForm, _ changes: [String: String] = [:]) async throws -> TestResponse {
        try await TestHTTP.post(
            server.url + "/api/auth/apple/callback",
            form: form.fields.merging(changes) { $1 }
        )
    }

    /// Goes the way to the app, and returns the parameters that it gets.
    func redirected(_ response: TestResponse) throws -> [String: String] {
        #expect(response.status == 303)
        let location = try #require(response.header("Location"))
        #expect(location.hasPrefix(address + "?"))
        return Self.items(location)
    }

    /// Signs in to the point at which the app has a one-time code.
    func code() async throws -> String {
        let parameters = try redirected(await callback(appleResponse()))
        #expect(parameters["state"] == Self.state)
        return try #require(parameters["code"], "\(parameters)")
    }

    /// Redeems a one-time code.
    func redeem(_ code: String, _ changes: [String: String] = [:]) async throws -> TestResponse {
        let body = ["code": code, "code_verifier": Self.verifier, "nonce": TestBackend.rawNonce]
        return try await server.post("/api/auth/apple/redeem", body.merging(changes) { $1 })
    }

    /// Signs in.
    func signIn() async throws -> TestResponse { try await redeem(code()) }

    private static func items(_ address: String) -> [String: String] {
        let items = URLComponents(string: address)?.queryItems ?? []
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }
}

/// The form that Apple's page posts by itself.
struct AppleForm: Sendable {
    let action: String
    let fields: [String: String]

    init(_ html: String) throws {
        let form = try #require(try /<form method="post" action="([^"]*)"/.firstMatch(in: html), "\(html)")
        action = Self.plain(String(form.1))
        let inputs = html.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
        fields = Dictionary(uniqueKeysWithValues: inputs.map { (String($0.1), Self.plain(String($0.2))) })
    }

    private static func plain(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}
