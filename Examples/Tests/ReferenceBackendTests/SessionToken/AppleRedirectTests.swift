// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

@Suite("Sign in with Apple in a browser, by the backend")
struct AppleRedirectTests {
    private func run(
        configure: (inout BackendSettings) -> Void = { _ in },
        _ test: (AppleFlow) async throws -> Void
    ) async throws {
        // Held for the whole test, in which the stand-in may stop.
        let port = try HeldPort()
        defer { withExtendedLifetime(port) {} }
        try await TestBackend.run(
            configure: {
                $0.appleStandInPort = port.number
                configure(&$0)
            },
            { try await test(AppleFlow(server: $0)) }
        )
    }

    @Test func `a sign-in gives the response of contract A, with the name and the address of the user`() async throws {
        try await run { flow in
            let response = try await flow.signIn()
            #expect(response.status == 200)
            #expect(response.object["success"] as? Bool == true)
            #expect(response.user("name") == "Eve Example")
            #expect(response.user("email") == "eve@example.com")
            #expect(response.user("role") == "customer")
            let token = try #require(response.string("token"))
            #expect(try await flow.server.post("/api/auth/validate", bearer: token).user("name") == "Eve Example")
        }
    }

    @Test func `the browser is sent to Apple for a posted form, and no cache or other site learns an address`()
        async throws
    {
        try await run { flow in
            let query = try await flow.appleQuery()
            #expect(query["response_mode"] == "form_post")
            #expect(query["response_type"] == "code")
            #expect(query["scope"] == "name email")
            #expect(query["client_id"] == TestBackend.customerApp + ".signin")
            #expect(query["redirect_uri"] == "https://backend.example/api/auth/apple/callback")
            #expect(query["nonce"] == TestBackend.hashedNonce)
            #expect(query["state"] != AppleFlow.state)
            let responses = [
                try await flow.start(), try await flow.callback(flow.appleResponse()),
                try await flow.start(["client_id": "other"]),
            ]
            for response in responses {
                #expect(response.header("Cache-Control") == "no-store")
                #expect(response.header("Referrer-Policy") == "no-referrer")
            }
        }
    }

    @Test func `Apple's own form leads to the registered public address`() async throws {
        let registration = AppleRegistration.standIn(
            apps: [TestBackend.customerApp],
            publicURL: "https://umuve.example"
        )
        try await run(configure: { $0.appleRegistration = registration }) { flow in
            let form = try await flow.appleResponse()
            #expect(form.action == "https://umuve.example/api/auth/apple/callback")
            // The test's browser goes to the backend in place of that address.
            let code = try #require(try flow.redirected(await flow.callback(form))["code"])
            #expect(try await flow.redeem(code).status == 200)
        }
    }

    @Test func `a code can be redeemed once`() async throws {
        try await run { flow in
            let code = try await flow.code()
            #expect(try await flow.redeem(code).status == 200)
            let again = try await flow.redeem(code)
            #expect(again.status == 400)
            #expect(again.code == "invalid_grant")
        }
    }

    @Test(arguments: [(59, 200), (60, 400)])
    func `a code can be redeemed for a minute`(seconds: Int, status: Int) async throws {
        try await run { flow in
            let code = try await flow.code()
            flow.server.clock.advance(by: .seconds(seconds))
            #expect(try await flow.redeem(code).status == status)
        }
    }

    @Test(arguments: [
        ("code_verifier", String(repeating: "w", count: 43), "invalid_grant"),
        ("code_verifier", "short", "invalid_grant"),
        ("nonce", String(repeating: "0", count: 64), "nonce_mismatch"), ("nonce", "short", "invalid_request"),
        ("code", "unknown", "invalid_grant"),
    ])
    func `only the holder of verifier and nonce can redeem a code`(
        member: String,
        value: String,
        error: String
    ) async throws {
        try await run { flow in
            let code = try await flow.code()
            #expect(try await flow.redeem(code, [member: value]).code == error)
            // Another program that sees the code can't cancel the sign-in.
            #expect(try await flow.redeem(code).status == 200)
        }
    }

    @Test(arguments: ["forged", "", AppleFlow.state])
    func `a forged state leads nowhere`(state: String) async throws {
        try await run { flow in
            let form = try await flow.appleResponse()
            let response = try await flow.callback(form, ["state": state])
            #expect(response.status == 400)
            #expect(response.header("Location") == nil)
            // The sign-in itself still waits.
            #expect(try flow.redirected(await flow.callback(form))["code"] != nil)
        }
    }

    @Test func `a replayed response of Apple leads nowhere`() async throws {
        try await run { flow in
            let form = try await flow.appleResponse()
            #expect(try await flow.callback(form).status == 303)
            let again = try await flow.callback(form)
            #expect(again.status == 400)
            #expect(again.header("Location") == nil)
        }
    }

    @Test func `Apple's code is used once, also with another state`() async throws {
        try await run { flow in
            let first = try await flow.appleResponse(), second = try await flow.appleResponse()
            #expect(try await flow.callback(first).status == 303)
            let code = try #require(first.fields["code"])
            #expect(try flow.redirected(await flow.callback(second, ["code": code]))["error"] == "invalid_grant")
        }
    }

    @Test(arguments: [(1_799, 303), (1_800, 400)])
    func `Apple's page can stay open for half an hour`(seconds: Int, status: Int) async throws {
        try await run { flow in
            let query = try await flow.appleQuery()
            flow.server.clock.advance(by: .seconds(seconds))
            let fields = ["state": query["state"] ?? "", "error": "user_cancelled_authorize"]
            let response = try await TestHTTP.post(flow.server.url + "/api/auth/apple/callback", form: fields)
            #expect(response.status == status)
        }
    }

    @Test(arguments: [
        "https://example.com/callback", "http://example.com/", "http://localhost:5555/callback",
        "http://127.0.0.1/callback", "http://127.0.0.1:5555", "http://127.0.0.1:0/", "http://127.0.0.1:65536/",
        "http://127.0.0.1:5555@example.com/", "http://127.0.0.1.example.com:5555/", "http://127.0.0.1:5555/?next=1",
        "http://127.0.0.1:5555/#x", "http://127.0.0.1:5555/\\@example.com", "com.goumuve.pro:/callback",
        "com.goumuve.app.evil:/callback", "com.goumuve.app", "com.goumuve.app:callback", "javascript:alert(1)",
        "http://127.0.0.1:5555/\r\nSet-Cookie: a=b", "",
    ])
    func `an address that is not the app's own gets a page and no redirect`(address: String) async throws {
        try await run { flow in
            let response = try await flow.start(["redirect_uri": address])
            #expect(response.status == 400)
            #expect(response.header("Location") == nil)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:5555/callback", "http://[::1]:1/", "com.goumuve.app:/callback",
        "com.goumuve.app://signed-in/x", "COM.goumuve.APP:/callback",
    ])
    func `the browser comes back to a listener on this machine or to the app's scheme`(address: String) async throws {
        try await run { flow in
            var flow = flow
            flow.address = address
            let response = try await flow.signIn()
            #expect(response.status == 200)
        }
    }

    @Test(arguments: [
        ["state": "short"], ["nonce": "short"], ["code_challenge": "short"], ["code_challenge_method": "plain"],
    ])
    func `an incomplete request is reported to the app`(change: [String: String]) async throws {
        try await run { flow in
            let parameters = try flow.redirected(await flow.start(change))
            #expect(parameters["error"] == "invalid_request")
        }
    }

    @Test func `an unknown app gets a page and no redirect`() async throws {
        try await run { flow in
            let response = try await flow.start(["client_id": "com.example.other"])
            #expect(response.status == 400)
        }
    }

    @Test func `a user who cancels is reported as such`() async throws {
        try await run { flow in
            let form = try await flow.appleResponse(pressing: "cancel")
            #expect(form.fields["error"] == "user_cancelled_authorize")
            let parameters = try flow.redirected(await flow.callback(form))
            #expect(parameters == ["error": "access_denied", "state": AppleFlow.state])
        }
    }

    @Test func `Apple out of reach is reported as passing`() async throws {
        try await run { flow in
            let form = try await flow.appleResponse()
            try await flow.server.standIn.stop()
            #expect(try flow.redirected(await flow.callback(form))["error"] == "temporarily_unavailable")
        }
    }

    @Test func `an identity token with another nonce is refused`() async throws {
        try await run { flow in
            let form = try await flow.appleResponse(["nonce": String(repeating: "0", count: 64)])
            #expect(try flow.redirected(await flow.callback(form))["error"] == "nonce_mismatch")
        }
    }

    @Test func `an identity token for another app of the family is refused`() async throws {
        try await run { flow in
            let form = try await flow.appleResponse(["client_id": TestBackend.driverApp + ".signin"])
            #expect(try flow.redirected(await flow.callback(form))["error"] == "invalid_grant")
        }
    }

    @Test func `an app gets an error if Apple doesn't know the backend's key`() async throws {
        try await run { apple in
            let standIn = try apple.server.standIn
            let other = AppleRegistration.standIn(
                apps: [TestBackend.customerApp],
                publicURL: "https://backend.example"
            )
            try await TestBackend.run(
                clock: apple.server.clock,
                configure: {
                    $0.apple = IdentityTokenIssuer(issuer: standIn.origin, jwksURI: standIn.trust.jwksURI)
                    $0.appleRegistration = other
                }
            ) { server in
                let flow = AppleFlow(server: server)
                let location = try #require(try await flow.start().header("Location"))
                let items = URLComponents(string: location)?.queryItems ?? []
                var query = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
                query.merge(["action": "continue", "email": "eve@example.com"]) { $1 }
                let page = try await TestHTTP.post(standIn.origin + "/auth/authorize", form: query)
                let parameters = try flow.redirected(await flow.callback(AppleForm(page.text)))
                #expect(parameters["error"] == "server_error")
            }
        }
    }

    @Test func `a backend without a registration reports that to the app`() async throws {
        try await TestBackend.run { server in
            let flow = AppleFlow(server: server)
            let parameters = try flow.redirected(await flow.start())
            #expect(parameters["error"] == "server_error")
            let callback = try await flow.callback(AppleForm(#"<form method="post" action="x">"#))
            #expect(callback.status == 400)
        }
    }

    @Test func `the limit of sign-ins counts beginnings and redemptions`() async throws {
        try await run(configure: { $0.signInLimit = SignInLimit(attempts: 2, window: .seconds(60)) }) { flow in
            let code = try await flow.code()
            #expect(try await flow.redeem(code).status == 200)
            #expect(try flow.redirected(await flow.start())["error"] == "rate_limited")
            #expect(try await flow.redeem(code).status == 429)
        }
    }

    @Test func `a browser needs no API key, and the app does`() async throws {
        try await run(configure: { $0.apiKey = "key" }) { flow in
            let code = try await flow.code()
            #expect(try await flow.redeem(code).code == "invalid_api_key")
            #expect(try await flow.server.post("/api/auth/apple/start/x").code == "invalid_api_key")
        }
    }

    @Test func `a sign-in that no app redeems sets no role`() async throws {
        try await run { flow in
            var driver = flow
            driver.app = TestBackend.driverApp
            let code = try await driver.code()
            #expect(try await driver.redeem(code, ["code_verifier": "another"]).code == "invalid_grant")
            let response = try await flow.signIn()
            #expect(response.status == 200)
            #expect(response.user("role") == "customer")
            #expect(try await driver.redeem(code).code == "role_conflict")
        }
    }

    @Test func `an account can't be both customer and driver, and the redemption has the sentence`() async throws {
        try await run { flow in
            #expect(try await flow.signIn().status == 200)
            var driver = flow
            driver.app = TestBackend.driverApp
            let response = try await driver.signIn()
            #expect(response.status == 409)
            #expect(response.code == "role_conflict")
            #expect(response.message?.contains("registered as a customer") == true)
        }
    }
}
