// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ReferenceBackend
import Testing

/// The stand-in with the loopback redirect that Apple does not allow.
@Suite("The stand-in for Apple, for native apps")
struct StandInTests {
    static let verifier = String(repeating: "v", count: 43)
    static let redirect = "http://127.0.0.1:5555/callback"

    static var query: [String: String] {
        [
            "client_id": TestBackend.customerApp, "redirect_uri": redirect, "response_type": "code", "state": "st&te",
            "nonce": TestBackend.hashedNonce, "code_challenge_method": "S256",
            "code_challenge": Data(SHA256.hash(data: Data(verifier.utf8))).base64URL,
        ]
    }

    private func run(_ test: (TestBackend) async throws -> Void) async throws {
        try await TestBackend.run(
            configure: {
                $0.appleStandInPort = 0
                $0.appleStandInAcceptsLoopback = true
            },
            test
        )
    }

    private func page(_ server: TestBackend, _ fields: [String: String]) async throws -> TestResponse {
        try await TestHTTP.get(server.standIn.origin + "/auth/authorize?" + TestHTTP.encode(fields))
    }

    private func submit(_ server: TestBackend, _ path: String, _ fields: [String: String]) async throws -> TestResponse
    {
        try await TestHTTP.post(server.standIn.origin + path, form: fields)
    }

    /// Returns the query parameters of the redirect.
    private func redirected(_ answer: TestResponse) throws -> [String: String] {
        #expect(answer.status == 303)
        let location = try #require(answer.header("Location"))
        #expect(location.hasPrefix(Self.redirect + "?"))
        let items = URLComponents(string: location)?.queryItems ?? []
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    private func code(_ server: TestBackend) async throws -> String {
        let fields = Self.query.merging(["action": "continue", "email": "eve@example.com"]) { $1 }
        return try #require(try redirected(await submit(server, "/auth/authorize", fields))["code"])
    }

    private func exchange(
        _ server: TestBackend,
        _ code: String,
        changing changes: [String: String] = [:]
    ) async throws -> TestResponse {
        let fields = [
            "grant_type": "authorization_code", "code": code, "client_id": TestBackend.customerApp,
            "redirect_uri": Self.redirect, "code_verifier": Self.verifier,
        ]
        return try await submit(server, "/auth/token", fields.merging(changes) { $1 })
    }

    /// As characters, the quotation mark and the accent are one, which is not the quotation mark.
    @Test func `an accent does not hide a quotation mark from the page`() async throws {
        try await run { server in
            var query = Self.query
            query["state"] = "\"\u{301} autofocus"
            let page = try await page(server, query)
            #expect(page.text.contains("value=\"&quot;\u{301} autofocus\""))
        }
    }

    @Test func `the page identifies itself, runs no script and keeps the request's parameters`() async throws {
        try await run { server in
            var query = Self.query
            query["state"] = #""><script>"#
            let page = try await page(server, query)
            #expect(page.status == 200)
            #expect(page.text.contains("STAND-IN FOR APPLE - not Apple"))
            #expect(!page.text.contains("<script"))
            #expect(page.text.contains("&quot;&gt;&lt;script&gt;"))
            for name in Self.query.keys { #expect(page.text.contains("name=\"\(name)\"")) }
            let policy = try #require(page.header("Content-Security-Policy"))
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("form-action 'self' http://127.0.0.1:5555"))
        }
    }

    @Test func `a sign-in ends in an identity token that the backend accepts`() async throws {
        try await run { server in
            let fields = Self.query.merging(["action": "continue", "email": "eve@example.com", "name": "Eve"]) { $1 }
            let parameters = try redirected(await submit(server, "/auth/authorize", fields))
            #expect(parameters["state"] == "st&te")
            #expect(try parameters["iss"] == server.standIn.origin)
            let answer = try await exchange(server, try #require(parameters["code"]))
            #expect(answer.status == 200)
            #expect(answer.string("token_type") == "Bearer")
            let signedIn = try await server.signIn(try #require(answer.string("id_token")))
            #expect(signedIn.user("email") == "eve@example.com")
        }
    }

    @Test func `cancelling sends the app an error`() async throws {
        try await run { server in
            let fields = Self.query.merging(["action": "cancel"]) { $1 }
            let parameters = try redirected(await submit(server, "/auth/authorize", fields))
            #expect(parameters["error"] == "access_denied")
            #expect(parameters["state"] == "st&te")
        }
    }

    @Test(arguments: [
        ["client_id": "com.example.other"], ["redirect_uri": "http://example.com/"],
        ["redirect_uri": "https://127.0.0.1/"], ["redirect_uri": "http://127.0.0.1@example.com/"],
        ["redirect_uri": "http://127.0.0.1.example.com/"], ["redirect_uri": "http://localhost/#fragment"],
    ])
    func `an unknown client or an invalid redirect URI gets an error page`(change: [String: String]) async throws {
        try await run { server in
            let answer = try await page(server, Self.query.merging(change) { $1 })
            #expect(answer.status == 400)
            #expect(answer.header("Location") == nil)
        }
    }

    @Test(arguments: ["http://localhost:1/", "http://[::1]:1/", "http://127.0.0.1/"])
    func `a redirect URI on this machine is accepted`(redirect: String) async throws {
        try await run { server in
            let answer = try await page(server, Self.query.merging(["redirect_uri": redirect]) { $1 })
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [
        ("response_type", "token", "unsupported_response_type"), ("code_challenge_method", "plain", "invalid_request"),
        ("code_challenge", "short", "invalid_request"), ("nonce", "", "invalid_request"),
    ])
    func `an invalid request is reported to the redirect URI`(name: String, value: String, error: String) async throws {
        try await run { server in
            let answer = try await page(server, Self.query.merging([name: value]) { $1 })
            #expect(try redirected(answer)["error"] == error)
        }
    }

    @Test(arguments: [
        ["code_verifier": String(repeating: "w", count: 43)], ["client_id": TestBackend.driverApp],
        ["redirect_uri": "http://127.0.0.1:5556/callback"], ["code": "unknown"],
    ])
    func `a code is valid only with its own client, redirect URI and verifier`(change: [String: String]) async throws {
        try await run { server in
            let answer = try await exchange(server, code(server), changing: change)
            #expect(answer.status == 400)
            #expect(answer.string("error") == "invalid_grant")
        }
    }

    @Test func `a code can be used once`() async throws {
        try await run { server in
            let code = try await code(server)
            #expect(try await exchange(server, code).status == 200)
            #expect(try await exchange(server, code).string("error") == "invalid_grant")
        }
    }

    @Test func `a code expires after five minutes`() async throws {
        try await run { server in
            let code = try await code(server)
            server.clock.advance(by: .seconds(300))
            #expect(try await exchange(server, code).string("error") == "invalid_grant")
        }
    }

    @Test func `another grant type is refused`() async throws {
        try await run { server in
            let answer = try await exchange(server, code(server), changing: ["grant_type": "password"])
            #expect(answer.string("error") == "unsupported_grant_type")
        }
    }

    @Test func `the stand-in publishes its discovery document`() async throws {
        try await run { server in
            let origin = try server.standIn.origin
            let answer = try await TestHTTP.get(origin + "/.well-known/openid-configuration")
            #expect(answer.string("issuer") == origin)
            #expect(answer.string("jwks_uri") == origin + "/auth/keys")
            #expect(answer.string("authorization_endpoint") == origin + "/auth/authorize")
            #expect(answer.string("token_endpoint") == origin + "/auth/token")
        }
    }
}
