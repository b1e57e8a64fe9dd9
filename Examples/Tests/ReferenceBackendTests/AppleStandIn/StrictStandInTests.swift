// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ReferenceBackend
import Testing

/// Each rule of Apple's that a client can break.
@Suite("The stand-in is as strict as Apple")
struct StrictStandInTests {
    /// The claims of a client secret, as a test wants them.
    private struct Secret: Encodable {
        var iss = registration.teamID
        var sub = client
        var aud = "https://appleid.apple.com"
        var iat: Int
        var exp: Int
    }

    private static let registration = AppleRegistration.standIn(
        apps: [TestBackend.customerApp, TestBackend.driverApp],
        publicURL: "https://umuve.example"
    )
    private static var teamKey: P256.Signing.PrivateKey {
        get throws { try P256.Signing.PrivateKey(pemRepresentation: registration.privateKey) }
    }
    private static let client = TestBackend.customerApp + ".signin"
    private static let returnURL = "https://umuve.example/api/auth/apple/callback"

    private static let query = [
        "client_id": client, "redirect_uri": returnURL, "response_type": "code", "response_mode": "form_post",
        "scope": "name email", "state": "st&te", "nonce": TestBackend.hashedNonce,
    ]

    private func run(_ test: (TestBackend) async throws -> Void) async throws {
        try await TestBackend.run(
            configure: {
                $0.appleStandInPort = 0
                $0.appleRegistration = Self.registration
            },
            test
        )
    }

    private func page(_ server: TestBackend, _ changes: [String: String]) async throws -> TestResponse {
        let query = Self.query.merging(changes) { $1 }.filter { !$0.value.isEmpty }
        return try await TestHTTP.get(server.standIn.origin + "/auth/authorize?" + TestHTTP.encode(query))
    }

    /// Presses a button, and returns the form that the page posts.
    private func response(_ server: TestBackend, _ changes: [String: String] = [:]) async throws -> AppleForm {
        let user = ["action": "continue", "email": "eve@example.com", "name": "Eve Example"]
        let query = Self.query.merging(user) { $1 }.merging(changes) { $1 }
        return try AppleForm(await TestHTTP.post(server.standIn.origin + "/auth/authorize", form: query).text)
    }

    private func secret(
        _ server: TestBackend,
        key: SigningKey? = nil,
        kid: String? = registration.keyID,
        changing change: (inout Secret) -> Void = { _ in }
    ) throws -> String {
        let now = Int(server.clock.now.timeIntervalSince1970)
        var claims = Secret(iat: now, exp: now + 600)
        change(&claims)
        return try (key ?? .p256(Self.teamKey)).sign(claims, kid: kid)
    }

    /// Returns a secret without its signature.
    private func unsigned(_ secret: String) -> String {
        let header = Data(#"{"alg":"none","kid":"\#(Self.registration.keyID)"}"#.utf8).base64URL
        return "\(header).\(secret.split(separator: ".")[1])."
    }

    private func exchange(
        _ server: TestBackend,
        _ changes: [String: String] = [:]
    ) async throws -> TestResponse {
        var fields = [
            "grant_type": "authorization_code", "client_id": Self.client, "redirect_uri": Self.returnURL,
            "client_secret": try secret(server), "code": try await response(server).fields["code"] ?? "",
        ]
        fields.merge(changes) { $1 }
        return try await TestHTTP.post(server.standIn.origin + "/auth/token", form: fields.filter { !$0.value.isEmpty })
    }

    @Test func `a correct client gets an identity token`() async throws {
        try await run { server in
            let answer = try await exchange(server)
            #expect(answer.status == 200)
            #expect(answer.string("id_token") != nil)
        }
    }

    @Test(arguments: [
        (["client_id": "com.example.other"], "invalid_client"),
        // A bundle identifier is no Services ID.
        (["client_id": TestBackend.customerApp], "invalid_client"),
        (["redirect_uri": "http://umuve.example/api/auth/apple/callback"], "invalid_request"),
        (["redirect_uri": "http://127.0.0.1:5555/callback"], "invalid_request"),
        (["redirect_uri": "https://127.0.0.1/api/auth/apple/callback"], "invalid_request"),
        (["redirect_uri": "https://[::1]/api/auth/apple/callback"], "invalid_request"),
        (["redirect_uri": "https://localhost/api/auth/apple/callback"], "invalid_request"),
        (["redirect_uri": "com.goumuve.app:/callback"], "invalid_request"),
        (["redirect_uri": "https://umuve.example/other"], "invalid_request"),
        (["redirect_uri": returnURL + "/"], "invalid_request"),
        (["redirect_uri": returnURL + "?a=b"], "invalid_request"),
        (["redirect_uri": ""], "invalid_request"),
        (["response_mode": "query"], "invalid_request"), (["response_mode": "fragment"], "invalid_request"),
        (["response_mode": ""], "invalid_request"),
        (["response_type": "token"], "unsupported_response_type"),
        (["response_type": ""], "unsupported_response_type"), (["scope": "name email phone"], "invalid_scope"),
    ])
    func `an invalid request gets a page with the error and no redirect`(
        change: [String: String],
        error: String
    ) async throws {
        try await run { server in
            let answer = try await page(server, change)
            #expect(answer.status == 400)
            #expect(answer.header("Location") == nil)
            #expect(answer.text.contains("<p>\(error): "))
        }
    }

    @Test func `the response is posted to the return URL, and the name comes with the first one alone`() async throws {
        try await run { server in
            let first = try await response(server)
            #expect(first.action == Self.returnURL)
            #expect(first.fields["state"] == "st&te")
            let user = try #require(first.fields["user"])
            let object = try JSONSerialization.jsonObject(with: Data(user.utf8)) as? [String: Any]
            #expect(object?["email"] as? String == "eve@example.com")
            #expect((object?["name"] as? [String: String]) == ["firstName": "Eve", "lastName": "Example"])
            #expect(try await response(server).fields["user"] == nil)
            #expect(try await response(server, ["client_id": TestBackend.driverApp + ".signin"]).fields["user"] != nil)
            #expect(try await response(server, ["email": "bob@example.com"]).fields["user"] != nil)
        }
    }

    @Test func `a user who cancels uses up no first sign-in and gets no code`() async throws {
        try await run { server in
            let cancelled = try await response(server, ["action": "cancel"])
            #expect(cancelled.fields == ["error": "user_cancelled_authorize", "state": "st&te"])
            #expect(try await response(server).fields["user"] != nil)
        }
    }

    @Test(arguments: SecretFault.allCases)
    func `a wrong client secret is refused`(fault: SecretFault) async throws {
        try await run { server in
            let secret =
                switch fault {
                case .missing: ""
                case .notASecret: "secret"
                case .otherKey: try secret(server, key: .p256(P256.Signing.PrivateKey()))
                case .keyOfAnotherType: try secret(server, key: server.standIn.key.signingKey)
                case .publicKeyAsSharedSecret:
                    try secret(
                        server,
                        key: .hmac(SymmetricKey(data: Data(Self.teamKey.publicKey.pemRepresentation.utf8)))
                    )
                case .unsigned: try unsigned(secret(server))
                case .noKeyID: try secret(server, kid: nil)
                case .otherKeyID: try secret(server, kid: "OTHERKEY01")
                case .otherTeam: try secret(server) { $0.iss = "OTHERTEAM1" }
                case .otherClient: try secret(server) { $0.sub = TestBackend.driverApp + ".signin" }
                case .otherAudience: try secret(server) { $0.aud = "https://example.com" }
                case .expired: try secret(server) { $0.exp = $0.iat }
                case .fromTheFuture: try secret(server) { $0.iat += 3_600 }
                case .tooLong: try secret(server) { $0.exp = $0.iat + 15_777_001 }
                }
            let answer = try await exchange(server, ["client_secret": secret])
            #expect(answer.status == 400)
            #expect(answer.string("error") == "invalid_client")
        }
    }

    enum SecretFault: CaseIterable {
        case missing, notASecret, otherKey, keyOfAnotherType, publicKeyAsSharedSecret, unsigned, noKeyID, otherKeyID
        case otherTeam, otherClient, otherAudience, expired, fromTheFuture, tooLong
    }

    @Test func `a client secret can live for six months`() async throws {
        try await run { server in
            let secret = try secret(server) { $0.exp = $0.iat + 15_777_000 }
            #expect(try await exchange(server, ["client_secret": secret]).status == 200)
        }
    }

    @Test(arguments: [
        (["code": "unknown"], "invalid_grant"),
        (["redirect_uri": "https://umuve.example/"], "invalid_grant"), (["redirect_uri": ""], "invalid_grant"),
        (["grant_type": "password"], "unsupported_grant_type"), (["grant_type": ""], "invalid_request"),
        (["code": ""], "invalid_request"),
    ])
    func `a wrong token request is refused`(change: [String: String], error: String) async throws {
        try await run { server in
            let answer = try await exchange(server, change)
            #expect(answer.status == 400)
            #expect(answer.string("error") == error)
        }
    }

    @Test func `a code is good for its own client`() async throws {
        try await run { server in
            let other = TestBackend.driverApp + ".signin"
            let secret = try secret(server) { $0.sub = other }
            let answer = try await exchange(server, ["client_id": other, "client_secret": secret])
            #expect(answer.string("error") == "invalid_grant")
        }
    }

    @Test func `a code is good for one use`() async throws {
        try await run { server in
            let code = try await response(server).fields["code"] ?? ""
            #expect(try await exchange(server, ["code": code]).status == 200)
            #expect(try await exchange(server, ["code": code]).string("error") == "invalid_grant")
        }
    }

    @Test(arguments: [(299, 200), (300, 400)])
    func `a code is good for five minutes`(seconds: Int, status: Int) async throws {
        try await run { server in
            let code = try await response(server).fields["code"] ?? ""
            server.clock.advance(by: .seconds(seconds))
            #expect(try await exchange(server, ["code": code]).status == status)
        }
    }

    @Test func `without the setting no native app is known`() async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }) { server in
            let query = TestHTTP.encode(StandInTests.query)
            let answer = try await TestHTTP.get(server.standIn.origin + "/auth/authorize?" + query)
            #expect(answer.status == 400)
            #expect(answer.text.contains("invalid_client"))
        }
    }

    @Test func `the page that posts the response runs its own script alone`() async throws {
        try await run { server in
            let query = Self.query.merging(["action": "continue", "email": "e@example.com", "name": "<script>"]) { $1 }
            let answer = try await TestHTTP.post(server.standIn.origin + "/auth/authorize", form: query)
            let policy = try #require(answer.header("Content-Security-Policy"))
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("script-src 'sha256-"))
            #expect(answer.text.split(separator: "<script>").count == 2)
        }
    }
}
