// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
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

    @Test func `a session without a user has no token for another API`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            #expect(try await stage.login(as: "basic", ["--client-credentials"]).exitCode == 0)
            let output = try await stage.tool("token", "--resource", "https://billing.example")
            #expect(output.exitCode == 2, "\(output.errorText)")
            stage.expectTwoSentences(output)
        }
    }
}
