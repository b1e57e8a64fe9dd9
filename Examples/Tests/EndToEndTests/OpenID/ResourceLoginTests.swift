// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// The servers that `sallyport api` sends a token to, after a sign-in that named the token's API.
@Suite(
    "A sign-in for an API",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct ResourceLoginTests {
    private static let billing = "https://billing.example"

    @Test(arguments: [("public", []), ("basic", ["--client-credentials"])] as [(String, [String])])
    func `the token goes to no other server, unless the user names it`(client: String, options: [String]) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: client, options + ["--resource", Self.billing])
            try #require(login.exitCode == 0, "\(login.errorText)")
            let (origin, before) = (stage.provider.issuer, try await stage.provider.log().count)
            // A path means the provider, which is not the API.
            for arguments in [
                [origin + "/userinfo"], ["/userinfo"], [origin + "/userinfo", "--allow-origin", Self.billing],
                [origin + "/userinfo", "--concurrent", "2"],
            ] {
                let refused = try await stage.tool.run(["api", "GET"] + arguments)
                #expect(refused.exitCode == 2, "\(arguments): \(refused.errorText)")
                #expect(refused.text.isEmpty)
                #expect(
                    refused.notes == [
                        "The sign-in was for another API, so its token is not sent to \(origin).",
                        "Use --allow-origin \(origin) if that server may have the token, or sign in with --resource.",
                    ]
                )
            }
            #expect(try await stage.provider.log().count == before)

            _ = try await stage.tool("api", "GET", origin + "/userinfo", "--allow-origin", origin + "/ignored")
            let last = try #require(try await stage.provider.log().last)
            #expect(last.path == "/userinfo")
            let invalid = try await stage.tool("api", "GET", origin + "/userinfo", "--allow-origin", "other.example")
            #expect(invalid.exitCode == 2, "\(invalid.errorText)")
        }
    }

    @Test func `the token goes to the API, and after a sign-in without one to any server`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let address = stage.provider.issuer + "/userinfo"
            for options in [["--resource", stage.provider.issuer + "/jobs"], []] {
                let login = try await stage.login(as: "public", options)
                try #require(login.exitCode == 0, "\(login.errorText)")
                let output = try await stage.tool("api", "GET", address)
                #expect(output.exitCode == 0, "\(output.errorText)")
            }
        }
    }

    @Test func `a step-up stays with the API of the sign-in`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: "public", ["--resource", Self.billing])
            try #require(login.exitCode == 0, "\(login.errorText)")
            let stepUp = try await stage.tool("login", "--step-up", "--max-age", "300")
            try #require(stepUp.exitCode == 0, "\(stepUp.errorText)")
            let refused = try await stage.tool("api", "GET", stage.provider.issuer + "/userinfo")
            #expect(refused.exitCode == 2, "\(refused.errorText)")
        }
    }
}
