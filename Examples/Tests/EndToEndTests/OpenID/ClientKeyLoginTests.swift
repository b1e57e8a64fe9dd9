// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The ways in which a client proves its identity without a secret.
@Suite(
    "A client without a secret",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct ClientKeyLoginTests {
    @Test(
        arguments: [
            ("ec", []),
            ("rsa", ["--assertion-algorithm", "ps256", "--assertion-audience", "token-endpoint"]),
        ] as [(String, [String])]
    )
    func `a private key signs a user in, and later commands sign as the first did`(
        client: String,
        options: [String]
    ) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: client, options)
            #expect(login.exitCode == 0, "\(login.errorText)")
            let key = try #require(stage.provider.keyClients[client])
            try FileManager.default.removeItem(at: stage.folder.url.appending(path: key.id + ".pem"))
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 0, "\(refresh.errorText)")
            let requests = try await stage.provider.log().filter { $0.path == "/token" }
            #expect(requests.map(\.clientAuth) == ["private_key_jwt", "private_key_jwt"])
            #expect(try await stage.tool("logout", "--no-browser").exitCode == 0)
        }
    }

    @Test(
        arguments: [
            ("ec", ["--assertion-audience", "token-endpoint"]), ("rsa", ["--assertion-audience", "token-endpoint"]),
            ("rsa", ["--assertion-algorithm", "ps256"]),
        ] as [(String, [String])]
    )
    func `another algorithm or audience than the registered one is refused, and the advice names the options`(
        client: String,
        options: [String]
    ) async throws {
        try await OpenIDStage.run { stage in
            let login = try await stage.login(as: client, options + ["--client-credentials", "--store", "memory"])
            #expect(login.exitCode == 1, "\(login.errorText)")
            stage.expectTwoSentences(login)
            #expect(login.errorText.contains("invalid_client"))
            #expect(login.errorText.contains("--assertion-audience"), "\(login.errorText)")
        }
    }

    @Test(
        arguments: [
            ("ec", []),
            ("rsa", ["--assertion-algorithm", "ps256", "--assertion-audience", "token-endpoint"]),
        ] as [(String, [String])]
    )
    func `a private key signs the client itself in, and later commands sign without the key's file`(
        client: String,
        options: [String]
    ) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: client, options + ["--client-credentials", "--scope", "email"])
            try #require(login.exitCode == 0, "\(login.errorText)")
            #expect(login.errorText.contains("Signed in as no user (client credentials)"), "\(login.errorText)")
            #expect(stage.addresses.isEmpty)
            let first = try await stage.tool("token").text
            let key = try #require(stage.provider.keyClients[client])
            try FileManager.default.removeItem(at: stage.folder.url.appending(path: key.id + ".pem"))
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 0, "\(refresh.errorText)")
            let second = try await stage.tool("token")
            #expect(second.exitCode == 0, "\(second.errorText)")
            #expect(!second.text.isEmpty)
            #expect(second.text != first)
            // The provider checks each assertion, and refuses one that was used before.
            let requests = try await stage.provider.log().filter { $0.path == "/token" }
            #expect(requests.map(\.grantType) == ["client_credentials", "client_credentials"])
            #expect(requests.map(\.clientAuth) == ["private_key_jwt", "private_key_jwt"])
            #expect(requests.map(\.status) == [200, 200])
            try await stage.expectNoSecret(in: [login, refresh])
        }
    }

    // MARK: The key's life in the store

    @Test(arguments: ["ec", "rsa"]) func `a key from a pipe signs a user in, and later commands sign with it`(
        client: String
    ) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let key = try #require(stage.provider.keyClients[client])
            let file = stage.folder.url.appending(path: "piped.pem")
            try Data(key.pem.utf8).write(to: file)
            let program = try Executable.besideTests("sallyport").path
            let rsa = "--assertion-algorithm ps256 --assertion-audience token-endpoint"
            let line =
                "cat '\(file.path)' | '\(program)' login --issuer \(stage.provider.issuer) --client-id \(key.id) "
                + "--private-key /dev/stdin \(client == "rsa" ? rsa : "")"
            let login = try await Command("sh", ["-c", line], environment: stage.tool.environment).run()
            try #require(login.exitCode == 0, "\(login.errorText)")
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 0, "\(refresh.errorText)")
            #expect(try await stage.tool("logout", "--no-browser").exitCode == 0)
            #expect(try await stage.keptItems().isEmpty)
        }
    }

    @Test(arguments: [nil, "no credentials"])
    func `a key that is lost blocks neither status nor the sign-out, which says what was not done`(
        damage: String?
    ) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            try #require(try await stage.login(as: "ec").exitCode == 0)
            if let damage {
                try #require(try await stage.clientItem("store", "--label=x", input: damage).exitCode == 0)
            } else {
                try #require(try await stage.clientItem("clear").exitCode == 0)
            }
            #expect(try await stage.tool("status").exitCode == 0)
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 1)
            #expect(refresh.notes.last?.contains("--private-key") == true, "\(refresh.errorText)")
            let logout = try await stage.tool("logout", "--no-browser")
            #expect(logout.exitCode == 0, "\(logout.errorText)")
            #expect(logout.errorText.contains("the client's private key can't be read"), "\(logout.errorText)")
            #expect(try await stage.tool("status").exitCode == 3)
            // As the message advises.
            #expect(try await stage.login(as: "ec").exitCode == 0)
            #expect(try await stage.tool("logout", "--no-browser").exitCode == 0)
            let revoked = try await stage.provider.log().filter { $0.path == "/revoke" && $0.status == 200 }
            #expect(revoked.count == 2)
            #expect(try await stage.keptItems().isEmpty)
        }
    }

    @Test func `a program whose key can't be read signs out, and says what was not done`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            try #require(try await stage.login(as: "ec", ["--client-credentials"]).exitCode == 0)
            let damaged = try await stage.clientItem("lookup").text.replacing("PRIVATE KEY", with: "LOST KEY")
            try #require(try await stage.clientItem("store", "--label=x", input: damaged).exitCode == 0)
            #expect(try await stage.tool("status").exitCode == 0)
            let refresh = try await stage.tool("refresh")
            #expect(refresh.exitCode == 1)
            #expect(refresh.notes.last?.contains("--private-key") == true, "\(refresh.errorText)")
            let logout = try await stage.tool("logout")
            #expect(logout.exitCode == 0, "\(logout.errorText)")
            #expect(logout.errorText.contains("The tokens were not revoked. The private key can't be read."))
            #expect(try await stage.keptItems().isEmpty)
        }
    }

    @Test func `the key of a deferred revocation stays until the tokens are revoked, also beside another session`()
        async throws
    {
        try await OpenIDStage.runWithKeyring { stage in
            try #require(try await stage.login(as: "ec").exitCode == 0)
            try await stage.provider.misbehave("revocation-503")
            let logout = try await stage.tool("logout", "--no-browser")
            #expect(logout.errorText.contains("a later command of this profile revokes them"), "\(logout.errorText)")
            #expect(try await stage.tool("status").exitCode == 3)
            try #require(try await stage.login().exitCode == 0)
            try await stage.provider.misbehave(nil)
            #expect(try await stage.tool("logout", "--no-browser").exitCode == 0)
            let revoked = try await stage.provider.log().filter { $0.path == "/revoke" && $0.status == 200 }
            #expect(revoked.count { $0.clientAuth == "private_key_jwt" } == 1)
            #expect(revoked.count == 2)
            #expect(try await stage.keptItems().isEmpty)
        }
    }

    @Test func `a deferred revocation keeps no other client's key`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            try #require(try await stage.login(as: "ec").exitCode == 0)
            try await stage.provider.misbehave("revocation-503")
            try #require(try await stage.tool("logout", "--no-browser").exitCode == 0)
            let key = try await stage.clientItem("lookup").text
            #expect(key.contains("PRIVATE KEY"))
            let options = ["--assertion-algorithm", "ps256", "--assertion-audience", "token-endpoint"]
            try #require(try await stage.login(as: "rsa", options + ["--client-credentials"]).exitCode == 0)
            #expect(try await stage.clientItem("lookup").text.count > key.count)
            #expect(try await stage.tool("logout").exitCode == 0)
            #expect(try await stage.clientItem("lookup").text.count == key.count)
        }
    }

    @Test func `a sign-in as a client without a key leaves no key`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            try #require(try await stage.login(as: "ec").exitCode == 0)
            #expect(try await stage.clientItem("lookup").text.contains("PRIVATE KEY"))
            try #require(try await stage.login().exitCode == 0)
            #expect(try await stage.clientItem("lookup").text.isEmpty)
        }
    }

    @Test func `the key of another client is refused, and the session stays`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            #expect(try await stage.login(as: "ec", ["--client-credentials"]).exitCode == 0)
            let own = try await stage.tool("token").text
            let client = try #require(stage.provider.keyClients["ec"])
            let stranger = try #require(stage.provider.keyClients["service"])
            let file = stage.folder.url.appending(path: "stranger.pem")
            try Data(stranger.pem.utf8).write(to: file)
            let arguments = ["login", "--issuer", stage.provider.issuer, "--client-id", client.id]
            let refused = try await stage.tool.run(
                arguments + ["--private-key", file.path, "--client-credentials"]
            )
            #expect(refused.exitCode == 1, "\(refused.errorText)")
            stage.expectTwoSentences(refused)
            #expect(refused.errorText.contains("invalid_client"), "\(refused.errorText)")
            #expect(try await stage.tool("token").text == own)
        }
    }

    @Test func `the token of another program is read anew for each request, wherever a command runs`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let file = stage.folder.url.appending(path: "identity")
            let first = try await stage.provider.workloadToken()
            try Data((first + "\n").utf8).write(to: file)
            // The file's name alone, as a user types it.
            let program = try Executable.besideTests("sallyport").path
            let line =
                "cd '\(stage.folder.url.path)' && '\(program)' login --issuer \(stage.provider.issuer) "
                + "--client-id web-workload --workload-token identity --client-credentials"
            let login = try await Command("sh", ["-c", line], environment: stage.tool.environment).run()
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(try await stage.tool("refresh").exitCode == 0)
            #expect(stage.files(containing: Data(first.utf8)).isEmpty)

            try Data(try await stage.provider.workloadToken(life: -1).utf8).write(to: file)
            let refused = try await stage.tool("refresh")
            #expect(refused.exitCode == 1, "\(refused.errorText)")
            #expect(refused.errorText.contains("invalid_client"), "\(refused.errorText)")

            try Data("s3cret".utf8).write(to: file)
            let malformed = try await stage.tool("refresh")
            #expect(malformed.exitCode == 1, "\(malformed.errorText)")
            #expect(malformed.notes.last?.contains("--workload-token") == true, "\(malformed.errorText)")
            #expect(!malformed.errorText.contains("s3cret"))

            try FileManager.default.removeItem(at: file)
            #expect(try await stage.tool("refresh").exitCode == 1)
            try Data(try await stage.provider.workloadToken().utf8).write(to: file)
            #expect(try await stage.tool("refresh").exitCode == 0)
        }
    }

    @Test func `an assertion that the key signs gets tokens, and a refused one names the code`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let options = ["--jwt-bearer", "--scope", "email", "--subject"]
            let login = try await stage.login(as: "service", options + ["jane"])
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(login.errorText.contains("Signed in as no user (JWT bearer)"), "\(login.errorText)")
            let first = try await stage.tool("token").text
            #expect(try await stage.tool("refresh").exitCode == 0)
            let second = try await stage.tool("token").text
            #expect(second != first)
            #expect(try await stage.tool("status", "--json").object["contract"] as? String == "jwtBearer")
            let refused = try await stage.login(as: "service", options + ["stranger"])
            #expect(refused.exitCode == 1, "\(refused.errorText)")
            #expect(refused.errorText.contains("invalid_grant"), "\(refused.errorText)")
            #expect(try await stage.tool("token").text == second)
        }
    }

    @Test func `the token of another program gets tokens as an assertion`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let file = stage.folder.url.appending(path: "identity")
            try Data(try await stage.provider.workloadToken().utf8).write(to: file)
            let login = try await stage.login(
                as: "public",
                ["--client-id", "workload", "--jwt-bearer", "--workload-token", file.path]
            )
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(try await stage.tool("refresh").exitCode == 0)
            let requests = try await stage.provider.log().filter { $0.path == "/token" }
            #expect(requests.allSatisfy { $0.grantType == "urn:ietf:params:oauth:grant-type:jwt-bearer" })
        }
    }
}
