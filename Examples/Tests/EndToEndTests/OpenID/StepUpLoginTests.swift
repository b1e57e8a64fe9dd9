// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// An API that requires another sign-in, and the sign-in that answers it.
@Suite(
    "A step-up",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct StepUpLoginTests {
    /// Runs a test after a sign-in at the misbehaving provider, which has no fault yet.
    private func signedIn(_ more: [String] = [], _ test: (OpenIDStage) async throws -> Void) async throws {
        try await OpenIDStage.runWithKeyring { stage in
            let login = try await stage.login(as: "public", more)
            try #require(login.exitCode == 0, "\(login.errorText)")
            try await test(stage)
        }
    }

    @Test func `api names the command that answers a step-up challenge, whatever the challenge contains`()
        async throws
    {
        try await signedIn { stage in
            let api = stage.provider.issuer + "/userinfo"
            try await stage.provider.misbehave("api-step-up")
            let refused = try await stage.tool("api", "GET", api)
            #expect(refused.exitCode == 1)
            #expect(refused.notes.count == 2, "\(refused.errorText)")
            let first = try #require(refused.notes.first)
            #expect(first.hasPrefix("The API requires a sign-in with phr or $(touch${IFS}pwned) or "))
            #expect(first.hasSuffix(", at most 300 seconds ago (insufficient_user_authentication)."))
            #expect(try await !stage.provider.log().contains { $0.grantType == "refresh_token" })

            let advice = try #require(refused.notes.last)
            let command = try #require(advice.firstRange(of: "sallyport login"))
            let line = String(advice[command.lowerBound...])
            #expect(
                line == "sallyport login --step-up --acr-values "
                    + #"'phr $(touch${IFS}pwned) `touch${IFS}pwned` ;touch${IFS}pwned; it'\''s -h' --max-age 300"#
            )

            // As the user does who copies it.
            try await stage.provider.misbehave(nil)
            var environment = stage.tool.environment
            let programs = try Executable.besideTests("sallyport").deletingLastPathComponent().path
            environment["PATH"] = "\(programs):\(environment["PATH"] ?? "/usr/bin:/bin")"
            let folder = stage.folder.url.path
            let login = try await Command("sh", ["-c", "cd '\(folder)' && \(line)"], environment: environment).run()
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/pwned"))
            let idToken = try await stage.tool("token", "--id").text
            let decoded = try await stage.tool.run(["decode", "--json"], input: idToken)
            let claims = decoded.object["claims"] as? [String: Any]
            #expect(claims?["acr"] as? String == "phr")
            #expect(try await stage.tool("api", "GET", api).exitCode == 0)
        }
    }

    @Test func `the command names the profile, and its sign-in binds the tokens to a key as the session does`()
        async throws
    {
        try await signedIn(["--dpop", "--profile", "work"]) { stage in
            try await stage.provider.misbehave("api-step-up")
            let url = stage.provider.issuer + "/userinfo"
            let refused = try await stage.tool("api", "GET", url, "--profile", "work")
            #expect(refused.exitCode == 1)
            let advice = try #require(refused.notes.last)
            #expect(advice.contains("sallyport login --step-up --profile work --acr-values "), "\(advice)")
            try await stage.provider.misbehave(nil)
            let own = try await stage.tool("token", "--profile", "work").text
            let login = try await stage.tool("login", "--step-up", "--profile", "work", "--max-age", "300")
            #expect(login.exitCode == 0, "\(login.errorText)")
            let header = try await stage.tool("token", "--profile", "work", "--header").text
            #expect(header.hasPrefix("Authorization: DPoP "))
            #expect(header != "Authorization: DPoP \(own)")
        }
    }

    @Test func `a step-up by another user leaves the session, which a plain sign-in replaces`() async throws {
        try await signedIn { stage in
            let own = try await stage.tool("token").text
            try await stage.provider.setUser("stranger")
            let output = try await stage.tool("login", "--step-up", "--max-age", "300")
            #expect(output.exitCode == 1, "\(output.errorText)")
            #expect(output.errorText.contains("another user"), "\(output.errorText)")
            #expect(output.text.isEmpty)
            #expect(try await stage.tool("token").text == own)
            #expect(try await stage.tool("refresh").exitCode == 0)
            let login = try await stage.login(as: "public", ["--json"])
            #expect(login.object["sub"] as? String == "stranger")
        }
    }

    @Test func `a step-up that the user gives up leaves the session`() async throws {
        try await signedIn { stage in
            let own = try await stage.tool("token").text
            var tool = stage.tool
            tool.environment["BROWSER"] = "true"
            let output = try await tool("login", "--step-up", "--login-timeout", "1")
            #expect(output.exitCode == 1, "\(output.errorText)")
            #expect(try await stage.tool("token").text == own)
            #expect(try await stage.tool("refresh").exitCode == 0)
        }
    }

    @Test func `a session without a user can't be stepped up`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            #expect(try await stage.login(as: "basic", ["--client-credentials"]).exitCode == 0)
            let output = try await stage.tool("login", "--step-up")
            #expect(output.exitCode == 2, "\(output.errorText)")
            #expect(output.notes.first == "This session has no user, and the command needs one.")
            #expect(try await stage.tool("token").exitCode == 0)
        }
    }
}

extension KeyringSuite {
    @Suite("A step-up of a backend's session")
    struct BackendStepUpTests {
        @Test func `a session at a backend can't be stepped up, and stays`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let output = try await stage.tool("login", "--step-up")
                #expect(output.exitCode == 2)
                #expect(output.notes.count == 2, "\(output.errorText)")
                #expect(try await stage.tool("token").exitCode == 0)
            }
        }
    }
}
