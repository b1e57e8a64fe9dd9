// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The tool as a program without a user.
@Suite(
    "A sign-in with client credentials",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct ClientCredentialsLoginTests {
    @Test func `the tool renews the token in later commands, without a browser and a user`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: "basic", ["--client-credentials", "--scope", "email"])
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(login.errorText.contains("no user (client credentials)"))
            let first = try await stage.tool("token")
            #expect(first.exitCode == 0, "\(first.errorText)")
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 0, "\(refresh.errorText)")
            let second = try await stage.tool("token")
            #expect(second.exitCode == 0, "\(second.errorText)")
            #expect(!second.text.isEmpty)
            #expect(second.text != first.text)
            let status = try await stage.tool("status")
            #expect(status.text.contains("Signed in as  no user (client credentials)"), "\(status.text)")
            #expect(try await stage.tool("status", "--json").object["contract"] as? String == "clientCredentials")
            #expect(stage.addresses.isEmpty)
            #expect(try await stage.tool("logout").exitCode == 0)
            #expect(try await stage.tool("token").exitCode == 3)
        }
    }

    @Test func `credentials that are refused do not replace those that work, and --dpop binds the next token`()
        async throws
    {
        try await OpenIDStage.runWithKeyring { stage in
            #expect(try await stage.login(as: "basic", ["--client-credentials"]).exitCode == 0)
            let file = stage.folder.url.appending(path: "wrong")
            try Data("wrong\n".utf8).write(to: file)
            let wrong = try await stage.tool(
                "login",
                "--issuer",
                stage.provider.issuer,
                "--client-id",
                stage.provider.basic.id,
                "--client-secret-file",
                file.path,
                "--client-auth",
                "basic",
                "--client-credentials"
            )
            #expect(wrong.exitCode == 1)
            #expect(wrong.errorText.contains("invalid_client"), "\(wrong.errorText)")
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 0, "\(refresh.errorText)")
            #expect(try await stage.login(as: "basic", ["--client-credentials", "--dpop"]).exitCode == 0)
            #expect(try await stage.tool("token", "--header").text.hasPrefix("Authorization: DPoP "))
            #expect(try await stage.tool("userinfo").exitCode == 2)
            #expect(try await stage.tool("revoke").exitCode == 0)
        }
    }

    @Test func `a scope that is refused ends with exit code 1 and names the provider's code`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: "post", ["--client-credentials", "--scope", "openid"])
            #expect(login.exitCode == 1, "\(login.errorText)")
            #expect(login.errorText.contains("invalid_scope"), "\(login.errorText)")
            #expect(try await stage.tool("token").exitCode == 3)
        }
    }

    @Test func `a sign-in names the session of another kind that it replaces, and one that fails leaves it`()
        async throws
    {
        try await OpenIDStage.runWithKeyring { stage in
            #expect(try await stage.login().exitCode == 0)
            let own = try await stage.tool("token").text
            let refused = try await stage.login(as: "post", ["--client-credentials", "--scope", "openid"])
            #expect(refused.exitCode == 1)
            stage.expectTwoSentences(refused)
            #expect(try await stage.tool("token").text == own)

            let program = try await stage.login(as: "basic", ["--client-credentials"])
            #expect(program.exitCode == 0)
            #expect(
                program.notes == [
                    "Signed in as no user (client credentials); the session is kept in the keyring.",
                    "This sign-in replaced the session of Jane Doe at \(stage.provider.issuer).",
                ]
            )
            #expect(try await stage.provider.log().contains { $0.path == "/revoke" && $0.status == 200 })
            let user = try await stage.login()
            #expect(user.exitCode == 0)
            #expect(
                user.notes.last
                    == "This sign-in replaced the session of the client web-basic at \(stage.provider.issuer)."
            )
            // The same provider and client: nothing to say.
            let again = try await stage.login()
            #expect(!again.errorText.contains("replaced"), "\(again.errorText)")
        }
    }

    // MARK: A sign-out that waits for the provider

    /// Signs a program out, and runs work while the provider holds the response to the revocation back.
    private func whileSigningOut(
        _ stage: OpenIDStage,
        _ work: () async throws -> Void
    ) async throws -> Command.Output {
        try #require(try await stage.login(as: "basic", ["--client-credentials"]).exitCode == 0)
        try await stage.provider.holdRevocations(true)
        async let logout = stage.tool("logout")
        try await waitUntil("the provider has the revocation") {
            try await stage.provider.log().contains { $0.path == "/revoke" }
        }
        try await work()
        try await stage.provider.holdRevocations(false)
        return try await logout
    }

    @Test func `a sign-out leaves the program that another process signs in meanwhile`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let logout = try await whileSigningOut(stage) {
                try #require(try await stage.login(as: "post", ["--client-credentials"]).exitCode == 0)
            }
            #expect(logout.exitCode == 0, "\(logout.errorText)")
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 0, "\(refresh.errorText)")
        }
    }

    @Test func `a sign-out holds although the keyring is locked meanwhile`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let keyring = try #require(stage.keyring)
            let logout = try await whileSigningOut(stage) { try await keyring.lock() }
            #expect(logout.exitCode == 5, "\(logout.errorText)")
            #expect(logout.notes.first == "Signed out here. The removal of the session is pending.")
            try await keyring.unlock()
            #expect(try await stage.tool("status").exitCode == 3)
            #expect(try await stage.keptItems().isEmpty)
        }
    }

    // MARK: A token for another API

    @Test(
        arguments: [
            ("basic", ["--client-credentials"], "client_credentials"),
            ("service", ["--jwt-bearer", "--subject", "jane"], "urn:ietf:params:oauth:grant-type:jwt-bearer"),
        ] as [(String, [String], String)]
    )
    func `a token for another API is requested by the grant of the sign-in and kept, and the own one stays`(
        client: String,
        options: [String],
        grant: String
    ) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: client, options)
            try #require(login.exitCode == 0, "\(login.errorText)")
            let own = try await stage.tool("token").text
            let command = ["token", "--resource", "https://billing.example", "--scope", "email"]
            let output = try await stage.tool.run(command)
            #expect(output.exitCode == 0, "\(output.errorText)")
            #expect(output.text != own)
            let secrets = try await stage.provider.secrets()
            #expect(secrets.contains { $0.kind == "access_token" && $0.value + "\n" == output.text })

            // A later command sends no other request.
            let json = try await stage.tool.run(command + ["--json"]).object
            #expect(Set(json.keys) == ["access_token", "token_type", "expires_at", "scope"])
            #expect(json["access_token"] as? String == String(output.text.dropLast()))
            #expect(json["scope"] as? String == "email")
            #expect(try await stage.tool("token").text == own)
            let requests = try await stage.provider.log().filter { $0.path == "/token" }
            #expect(requests.map(\.grantType) == [grant, grant])
            #expect(requests.map { $0.form.contains("resource") } == [false, true])
        }
    }

    @Test(
        arguments: [
            ("basic", ["--client-credentials"]), ("service", ["--jwt-bearer", "--subject", "jane"]),
        ] as [(String, [String])]
    )
    func `a session without a user exchanges its token, and a refused API names the code and leaves the session`(
        client: String,
        options: [String]
    ) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: client, options)
            try #require(login.exitCode == 0, "\(login.errorText)")
            let own = try await stage.tool("token").text
            let output = try await stage.tool("exchange", "--audience", "billing")
            #expect(output.exitCode == 0, "\(output.errorText)")
            #expect(output.text != own)
            let secrets = try await stage.provider.secrets()
            #expect(secrets.contains { $0.kind == "access_token" && $0.value + "\n" == output.text })
            let request = try await stage.provider.log().last { $0.path == "/token" }
            #expect(request?.grantType == "urn:ietf:params:oauth:grant-type:token-exchange")
            #expect(request?.form.contains("subject_token") == true)

            for command in [["exchange", "--audience", "other"], ["token", "--resource", "https://other.example"]] {
                let refused = try await stage.tool.run(command)
                #expect(refused.exitCode == 1, "\(command): \(refused.errorText)")
                stage.expectTwoSentences(refused)
                #expect(refused.errorText.contains("(invalid_target)"), "\(refused.errorText)")
            }
            #expect(try await stage.tool("token").text == own)
            #expect(try await stage.tool("refresh").exitCode == 0)
        }
    }
}
