// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The exact lines of each provider's page, against the provider's stand-in.
@Suite(
    "The pages of the providers",
    .enabled(
        if: ProviderPlayer.isAvailable,
        "needs Python's cryptography, curl, gnome-keyring-daemon and network namespaces; Tests/run installs them"
    )
)
struct ProviderPageTests {
    @Test(arguments: ProviderPage.all) func `each line of the page does what it says`(page: ProviderPage) async throws {
        try await PlayerStage.run(page.provider) { stage in
            var outputs: [Command.Output] = []
            var name: String?
            let commands = try page.commands()
            // A token of GitHub's OAuth apps has neither an end nor a refresh token.
            let lacksRefreshToken = page.provider == "github"
            #expect(commands.count >= 5)
            for line in commands {
                let output = try await stage.run(line)
                try #require(output.exitCode == 0, "\(line): \(output.text)\(output.errorText)")
                outputs.append(output)
                if line.contains(" login ") {
                    let said = try #require(output.notes.last { $0.hasPrefix("Signed in as ") })
                    name = String(said.dropFirst("Signed in as ".count).prefix { $0 != ";" })
                    // A refresh token, and every scope that was asked for.
                    #expect((output.notes.last == said) != lacksRefreshToken, "\(output.errorText)")
                } else if line.contains(" status") {
                    #expect(output.text.contains("Signed in as  \(name ?? "-")\n"), "\(name ?? "-"): \(output.text)")
                    #expect(output.text.contains("Refresh  ") == lacksRefreshToken, "\(output.text)")
                } else if line.contains(" api ") {
                    #expect(!output.text.isEmpty)
                }
            }
            try await stage.expectNoSecret(in: outputs)
            let refused = try await stage.player.log().filter { ($0.status ?? 0) >= 400 && $0.status != 428 }
            #expect(refused.allSatisfy { Self.isExpected($0) }, "\(refused)")
        }
    }

    /// A poll of the device flow is refused until the user has approved; metadata may be elsewhere, and an MCP server
    /// names its own in a challenge.
    private static func isExpected(_ request: ProviderPlayer.Request) -> Bool {
        request.error == "authorization_pending" || request.path.contains("/.well-known/")
            || request.error == "use_dpop_nonce" || request.path == "/mcp" && request.error == "invalid_token"
    }

    /// A provider that refuses a request on its own page does not redirect.
    ///
    /// The MCP server is no known provider, and has no conditions of its own.
    @Test(arguments: ProviderPage.all.filter { $0.provider != "mcp" })
    func `a browser that does not come back brings the provider's own conditions`(page: ProviderPage) async throws {
        try await PlayerStage.run(page.provider) { stage in
            let command = try #require(try page.commands().first)
            let login = try await stage.run("\(command) --no-browser --login-timeout 1")
            #expect(login.exitCode == 1, "\(login.errorText)")
            for (name, usual) in [
                ("client_id", "registered as a native app"), ("redirect_uri", "settings must list it"),
                ("scope", "must offer each scope"),
            ] {
                let line = try #require(login.notes.first { $0.hasPrefix("    \(name) ") }, "\(login.errorText)")
                let advice = try #require(line.components(separatedBy: ": ").last)
                #expect(advice.count > 20 && advice.hasSuffix("."), "\(line)")
                #expect(!advice.contains(usual), "\(line)")
            }
        }
    }

    @Test(arguments: ProviderPage.all) func `login, status and userinfo show one name for one user`(page: ProviderPage)
        async throws
    {
        try await PlayerStage.run(page.provider) { stage in
            let login = try await stage.run(try #require(try page.commands().first))
            try #require(login.exitCode == 0, "\(login.errorText)")
            let userinfo = try await stage.run("sallyport userinfo")
            guard userinfo.exitCode == 0 else {
                // The server of the MCP page has no endpoint that names the user.
                #expect(page.provider == "mcp", "\(userinfo.errorText)")
                return
            }
            let name = try #require(userinfo.object["name"] as? String ?? userinfo.object["email"] as? String)
            #expect(login.errorText.contains("Signed in as \(name);"), "\(login.errorText)")
            #expect(try await stage.run("sallyport status").text.contains("Signed in as  \(name)"))
        }
    }

    @Test(arguments: ProviderPage.all) func `the sample on the page signs in, restarts, refreshes, calls and signs out`(
        page: ProviderPage
    ) async throws {
        #expect(try page.block("swift") == page.source())
        try await PlayerStage.run(page.provider) { stage in
            let client = try #require(stage.player.clients["desktop"])
            // The samples' store is the keyring of the test.
            func sample(_ action: String..., as client: ProviderPlayer.Client = client) async throws -> String {
                let arguments = [page.provider] + action + [client.id] + (client.secret.map { [$0] } ?? [])
                let output = try await stage.program("ProviderSample", arguments)
                try #require(output.exitCode == 0, "\(action): \(output.text)\(output.errorText)")
                return output.text
            }
            let user = try await sample("sign-in")
            #expect(!user.isEmpty)
            let signIns = try await stage.player.log().count { $0.path.contains("authorize") }
            #expect(try await sample("user") == user)
            _ = try await sample("refresh")
            #expect(try await sample("api", stage.player.api).contains("200"))
            #expect(try await stage.player.log().count { $0.path.contains("authorize") } == signIns)
            #expect(!(try await sample("sign-out").isEmpty))
            if try page.commands().contains(where: { $0.contains("--device") }) {
                let device = try #require(stage.player.clients["device"])
                #expect(try await sample("device", as: device).contains("http"))
            }
        }
    }
}
