// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The forms in which the tool prints a session's tokens.
@Suite(
    "The tokens that the tool prints",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct TokenCommandTests {
    /// Signs in on a stage of the test's own.
    private func signedIn(_ options: [String] = [], _ test: (OpenIDStage) async throws -> Void) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: "public", options)
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await test(stage)
        }
    }

    /// Signs in with tokens that last for a minute; new tokens last for an hour.
    private func signedInForAMinute(_ test: (OpenIDStage) async throws -> Void) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            try await stage.provider.setTokenLifetime(60)
            let login = try await stage.login()
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await stage.provider.setTokenLifetime(3_600)
            try await test(stage)
        }
    }

    /// Returns the expiry in a JSON object, in seconds from now.
    private func secondsLeft(_ object: [String: Any]) throws -> Double {
        let text = try #require(object["expires_at"] as? String)
        return try Date(text, strategy: .iso8601).timeIntervalSinceNow
    }

    // MARK: The access token

    @Test func `an access token is printed as one JSON object`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text.dropLast()
            let output = try await stage.tool("token", "--json")
            #expect(output.exitCode == 0, "\(output.errorText)")
            #expect(output.errorText.isEmpty)
            #expect(Set(output.object.keys) == ["access_token", "token_type", "expires_at", "scope"])
            #expect(output.object["access_token"] as? String == String(token))
            #expect(output.object["token_type"] as? String == "Bearer")
            #expect(output.object["scope"] as? String == "openid profile email offline_access")
            let left = try secondsLeft(output.object)
            #expect((3_500...3_600).contains(left), "\(left)")
        }
    }

    @Test func `an access token is printed as a header field that a server accepts`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token").text
            let output = try await stage.tool("token", "--header")
            #expect(output.text == "Authorization: Bearer \(token)")
            let field = String(output.text.dropLast())
            let url = stage.provider.issuer + "/userinfo"
            let claims = try await Command("curl", ["-fsS", "--noproxy", "*", "--header", field, url]).run()
            #expect(claims.exitCode == 0, "\(claims.errorText)")
        }
    }

    @Test func `a token that is bound to a key has the scheme DPoP`() async throws {
        try await signedIn(["--dpop"]) { stage in
            let token = try await stage.tool("token").text
            let header = try await stage.tool("token", "--header")
            #expect(header.text == "Authorization: DPoP \(token)")
            #expect(header.notes.count == 1, "\(header.errorText)")
            #expect(try await stage.tool("token", "--json").object["token_type"] as? String == "DPoP")
        }
    }

    @Test func `curl reads the header field from a pipe`() async throws {
        try await signedIn { stage in
            var environment = stage.tool.environment
            environment["TOOL"] = try Executable.besideTests("sallyport").path
            let line = #"set -e; "$TOOL" token --header | curl -fsS --noproxy '*' --header @- "$0""#
            let words = ["-c", line, stage.provider.issuer + "/userinfo"]
            let claims = try await Command("sh", words, environment: environment).run()
            #expect(claims.exitCode == 0, "\(claims.errorText)")
            #expect(claims.object["sub"] as? String == MisbehavingProvider.subject)
        }
    }

    // MARK: The header fields as JSON

    @Test func `a token is printed as one JSON object of header fields`() async throws {
        try await signedIn { stage in
            for (options, target) in [([], []), (["--id"], []), ([], ["--resource", "https://billing.example"])] {
                let token = try await stage.tool.run(["token"] + options + target).text.dropLast()
                let output = try await stage.tool.run(["token", "--headers-json"] + options + target)
                #expect(output.exitCode == 0, "\(output.errorText)")
                #expect(output.errorText.isEmpty)
                #expect(output.object as? [String: String] == ["Authorization": "Bearer \(token)"])
            }
            let named = try await stage.tool("token", "--headers-json", "--proof-for", "GET https://api.example/me")
            #expect(Set(named.object.keys) == ["Authorization"])
        }
    }

    @Test func `the header fields of a bound token have the proof, for one request`() async throws {
        try await signedIn(["--dpop"]) { stage in
            let refused = try await stage.tool("token", "--headers-json")
            #expect(refused.exitCode == 1)
            stage.expectTwoSentences(refused)
            #expect(refused.errorText.contains("--proof-for"))

            let url = stage.provider.issuer + "/userinfo"
            let output = try await stage.tool("token", "--headers-json", "--proof-for", "GET \(url)")
            #expect(output.exitCode == 0, "\(output.errorText)")
            #expect(output.errorText.isEmpty)
            let fields = try #require(output.object as? [String: String])
            #expect(Set(fields.keys) == ["Authorization", "DPoP"])
            #expect(fields["Authorization"]?.hasPrefix("DPoP ") == true)
            let headers = fields.flatMap { ["--header", "\($0.key): \($0.value)"] }
            let curl = ["-fsS", "--noproxy", "*"] + headers
            let accepted = try await Command("curl", curl + [url]).run()
            #expect(accepted.exitCode == 0, "\(accepted.errorText)")
            // The provider takes a proof once.
            let repeated = try await Command("curl", curl + [url]).run()
            #expect(repeated.exitCode != 0)

            let other = try await stage.tool("token", "--headers-json", "--proof-for", "POST \(url)")
            let proof = try #require(other.object["DPoP"] as? String)
            #expect(try await stage.tool("decode", proof).text.contains("POST"))
            // The ID token is a bearer token.
            let id = try await stage.tool("token", "--id", "--headers-json")
            #expect(Set(id.object.keys) == ["Authorization"])
        }
    }

    @Test(arguments: [
        ["--json", "--headers-json"], ["--header", "--headers-json"], ["--proof-for", "GET https://api.example"],
        ["--headers-json", "--id", "--proof-for", "GET https://api.example"],
        ["--headers-json", "--resource", "https://api.example", "--proof-for", "GET https://api.example"],
        ["--headers-json", "--proof-for", "https://api.example"], ["--headers-json", "--proof-for", "GET /me"],
        ["--headers-json", "--proof-for", "GET  https://api.example"], ["--headers-json", "--proof-for", ""],
        ["--headers-json", "--proof-for", "G(T https://api.example"],
    ])
    func `options that exclude each other are refused`(arguments: [String]) async throws {
        try await OpenIDStage.run { stage in
            let output = try await stage.tool.run(["token"] + arguments)
            #expect(output.exitCode == 2, "\(output.errorText)")
        }
    }

    // MARK: The ID token

    @Test func `the ID token is printed alone, in a header field, and as one JSON object`() async throws {
        try await signedIn { stage in
            let token = try await stage.tool("token", "--id")
            #expect(token.exitCode == 0, "\(token.errorText)")
            let text = String(token.text.dropLast())
            #expect(text.split(separator: ".").count == 3)
            #expect(try await stage.provider.secrets().contains { $0.kind == "id_token" && $0.value == text })
            #expect(try await stage.tool("token", "--id", "--header").text == "Authorization: Bearer \(text)\n")
            let object = try await stage.tool("token", "--id", "--json").object
            #expect(Set(object.keys) == ["id_token", "token_type", "expires_at"])
            #expect(object["id_token"] as? String == text)
            #expect(object["token_type"] as? String == "Bearer")
            let left = try secondsLeft(object)
            #expect((3_500...3_600).contains(left), "\(left)")
            #expect(try await !stage.provider.log().contains { $0.grantType == "refresh_token" })
        }
    }

    @Test func `the ID token is of a DPoP session, too, a bearer token`() async throws {
        try await signedIn(["--dpop"]) { stage in
            let output = try await stage.tool("token", "--id", "--header")
            #expect(output.text.hasPrefix("Authorization: Bearer "))
            #expect(output.errorText.isEmpty)
        }
    }

    @Test func `an ID token that is due is refreshed once, and kept`() async throws {
        try await signedInForAMinute { stage in
            let first = try await stage.tool("token", "--id", "--min-ttl", "600")
            #expect(first.exitCode == 0, "\(first.errorText)")
            #expect(try await stage.tool("token", "--id", "--min-ttl", "600").text == first.text)
            #expect(try await stage.provider.log().count { $0.grantType == "refresh_token" } == 1)
        }
    }

    @Test(
        arguments: [
            ("refresh-invalid-sig", 7), ("refresh-wrong-nonce", 7), ("refresh-no-id-token", 1),
        ] as [(String, Int32)]
    )
    func `no other ID token is printed, and the session stays`(fault: String, exitCode: Int32) async throws {
        try await signedInForAMinute { stage in
            try await stage.provider.misbehave(fault)
            let output = try await stage.tool("token", "--id", "--min-ttl", "600")
            #expect(output.exitCode == exitCode, "\(output.errorText)")
            #expect(output.text.isEmpty)
            // Before the two sentences, the library may log the rejection.
            #expect(output.notes.count { !$0.hasPrefix("· ") } == 2, "\(output.errorText)")
            try await stage.provider.misbehave(nil)
            #expect(try await stage.tool("token").exitCode == 0)
            // Of a provider that omits ID tokens, the next one is not requested before the access token is due.
            if fault == "refresh-no-id-token" { #expect(try await stage.tool("refresh").exitCode == 0) }
            #expect(try await stage.tool("token", "--id", "--min-ttl", "600").exitCode == 0)
        }
    }

    @Test func `an ID token that never lasts long enough ends with exit code 1`() async throws {
        try await signedIn { stage in
            let output = try await stage.tool("token", "--id", "--min-ttl", "100000")
            #expect(output.exitCode == 1, "\(output.errorText)")
            stage.expectTwoSentences(output)
        }
    }

    @Test func `a token that is over when it comes is printed once, and the message says that the server issues such`()
        async throws
    {
        try await signedIn { stage in
            try await stage.provider.setTokenLifetime(0)
            let refreshed = try await stage.tool("refresh")
            try #require(refreshed.exitCode == 0, "\(refreshed.errorText)")
            let printed = try await stage.tool("token")
            #expect(printed.exitCode == 0, "\(printed.errorText)")
            #expect(!printed.text.isEmpty)
            #expect(printed.errorText.contains("already expired"), "\(printed.errorText)")
            #expect(try await stage.provider.log().count { $0.grantType == "refresh_token" } == 2)
            let longer = try await stage.tool("token", "--min-ttl", "60")
            #expect(longer.exitCode == 1 && longer.text.isEmpty, "\(longer.errorText)")
            #expect(longer.errorText.contains("already expired"), "\(longer.errorText)")
            #expect(!longer.errorText.contains("--min-ttl"), "\(longer.errorText)")
            #expect(try await stage.provider.log().count { $0.grantType == "refresh_token" } == 3)
        }
    }

    @Test(arguments: [["token"], ["token", "--id"]])
    func `no token is printed if no user is signed in`(arguments: [String]) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let output = try await stage.tool.run(arguments)
            #expect(output.exitCode == 3)
            #expect(output.text.isEmpty)
        }
    }

    // MARK: A token for another API

    @Test func `a token is exchanged for another API's, and a refusal names its code and leaves the session`()
        async throws
    {
        try await signedIn { stage in
            let own = try await stage.tool("token").text
            let output = try await stage.tool("exchange", "--audience", "billing", "--scope", "email")
            #expect(output.exitCode == 0, "\(output.errorText)")
            #expect(output.text != own)
            let secrets = try await stage.provider.secrets()
            #expect(secrets.contains { $0.kind == "access_token" && $0.value + "\n" == output.text })
            let refused = try await stage.tool("exchange", "--audience", "other")
            #expect(refused.exitCode == 1)
            #expect(refused.text.isEmpty)
            #expect(refused.errorText.contains("invalid_target"), "\(refused.errorText)")
            #expect(try await stage.tool("token").text == own)
        }
    }

    @Test func `a token for another API is got by a refresh and kept, and the session's own token stays`()
        async throws
    {
        try await signedIn { stage in
            let own = try await stage.tool("token").text
            let resource = "https://billing.example"
            let output = try await stage.tool("token", "--resource", resource)
            #expect(output.exitCode == 0, "\(output.errorText)")
            #expect(output.text != own)
            let secrets = try await stage.provider.secrets()
            #expect(secrets.contains { $0.kind == "access_token" && $0.value + "\n" == output.text })
            let refreshes = try await stage.provider.log().filter { $0.grantType == "refresh_token" }
            #expect(refreshes.count == 1)
            #expect(refreshes.first?.form.contains("resource") == true)

            // A later command sends no other request.
            let header = try await stage.tool("token", "--resource", resource, "--header")
            #expect(header.text == "Authorization: Bearer \(output.text)")
            let json = try await stage.tool("token", "--resource", resource, "--json").object
            #expect(Set(json.keys) == ["access_token", "token_type", "expires_at", "scope"])
            #expect(json["access_token"] as? String == String(output.text.dropLast()))
            #expect(json["token_type"] as? String == "Bearer")
            #expect(json["scope"] as? String == "openid profile email offline_access")
            let left = try secondsLeft(json)
            #expect((3_500...3_600).contains(left), "\(left)")
            #expect(try await stage.tool("token").text == own)
            let count = try await stage.provider.log().count { $0.grantType == "refresh_token" }
            #expect(count == 1)
            #expect(try await stage.tool("refresh").exitCode == 0)
        }
    }

    @Test(arguments: [
        (["--resource", "https://other.example"], "invalid_target"), (["--scope", "email"], "invalid_scope"),
    ])
    func `a token for another API that is refused names the code, and the session stays`(
        arguments: [String],
        code: String
    ) async throws {
        try await signedIn { stage in
            let own = try await stage.tool("token").text
            let output = try await stage.tool.run(["token"] + arguments)
            #expect(output.exitCode == 1, "\(output.errorText)")
            #expect(output.text.isEmpty)
            stage.expectTwoSentences(output)
            #expect(output.errorText.contains("(\(code))"), "\(output.errorText)")
            #expect(output.notes.last?.hasPrefix("Check --") == true, "\(output.errorText)")
            #expect(try await stage.tool("token").text == own)
            #expect(try await stage.tool("refresh").exitCode == 0)
        }
    }

    @Test func `a token for another API of a DPoP session is bound to the session's key`() async throws {
        try await signedIn(["--dpop"]) { stage in
            let output = try await stage.tool("token", "--resource", "https://billing.example", "--header")
            #expect(output.text.hasPrefix("Authorization: DPoP "), "\(output.errorText)")
            #expect(output.notes == ["This token is bound to the session's key (DPoP)."])
        }
    }
}

extension KeyringSuite {
    @Suite("The ID token of a backend's session")
    struct BackendIDTokenTests {
        @Test func `a session at a backend has no ID token`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let output = try await stage.tool("token", "--id")
                #expect(output.exitCode == 1)
                #expect(output.text.isEmpty)
                #expect(output.notes.first == "The session has no ID token.")
                #expect(output.notes.count == 2)
                let json = try await stage.tool("token", "--json")
                #expect(json.object["token_type"] as? String == "Bearer")
            }
        }
    }
}
