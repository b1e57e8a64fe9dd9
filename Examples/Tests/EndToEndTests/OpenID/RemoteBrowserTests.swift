// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// A sign-in with a browser on another machine, or with none.
@Suite(
    "A browser elsewhere",
    .enabled(
        if: MisbehavingProvider.isAvailable,
        "needs Python's cryptography and curl; Tests/run installs them"
    )
)
struct RemoteBrowserTests {
    @Test(arguments: [("SSH_CONNECTION", "over SSH"), ("WSL_DISTRO_NAME", "in WSL"), ("container", "in a container")])
    func `a sign-in over SSH, in WSL and in a container names the ways without a browser here`(
        variable: String,
        place: String
    ) async throws {
        try await OpenIDStage.run { stage in
            var stage = stage
            for name in ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"] { stage.tool.environment[name] = nil }
            stage.tool.environment[variable] = "1"
            let login = try await stage.login(as: "public", ["--store", "memory", "--login-timeout", "60"])
            #expect(login.exitCode == 0, "\(login.errorText)")
            #expect(login.errorText.contains("sign in with --device or --paste."), "\(login.errorText)")
            let doctor = try await stage.tool("doctor", "--store", "memory")
            #expect(doctor.text.contains("This runs \(place). If the browser is on another machine"), "\(doctor.text)")
        }
    }

    @Test(arguments: ["/nonexistent/browser", "no-such-browser:/nonexistent/browser %s"])
    func `a sign-in without an opener names the ways that the provider has`(browser: String) async throws {
        try await OpenIDStage.run { stage in
            var stage = stage
            stage.tool.environment["BROWSER"] = browser
            let arguments = ["--store", "memory", "--login-timeout", "1"]
            let login = try await stage.login(as: "public", arguments)
            #expect(login.errorText.contains("sign in with --device or --paste."), "\(login.errorText)")
            let endpoints = ["authorization", "token"].flatMap {
                ["--\($0)-endpoint", "\(stage.provider.issuer)/\($0)"]
            }
            let plain = ["login", "--oauth", "--client-id", "a"] + endpoints
            let other = try await stage.tool.run(plain + arguments)
            #expect(other.errorText.contains("sign in with --paste."), "\(other.errorText)")
            #expect(!other.errorText.contains("--device"))
        }
    }

    /// A terminal that edits lines drops what they have beyond 4,095 bytes.
    @Test func `an address that is longer than a terminal's line can be pasted`() async throws {
        try await OpenIDStage.run { stage in
            let arguments = ["--client-id", MisbehavingProvider.publicClient, "--store", "memory", "--paste"]
            let (login, keyboard) = try stage.tool.startOnTerminal(
                ["login", "--issuer", stage.provider.issuer] + arguments
            )
            let shown = try await login.read(until: "press Enter:")
            let lines = shown.split(whereSeparator: \.isNewline)
            let url = try #require(lines.last { $0.hasPrefix(stage.provider.issuer + "/") })
            let options = ["-s", "--noproxy", "*", "-o", "/dev/null", "-w", "%{redirect_url}", String(url)]
            let redirect = try await Command("curl", options).run().text
            let long = redirect.replacing("?", with: "?padding=\(String(repeating: "a", count: 6_000))&")
            // With a slip that Backspace takes back.
            try keyboard.write(contentsOf: Data("\(long)x\u{7F}\n".utf8))
            let code = await login.waitUntilExit(timeout: .seconds(60))
            #expect(code == 0, "\(login.rest())")
        }
    }

    @Test(arguments: ["\u{3}", "\u{1C}"])
    func `Ctrl-C and Ctrl-Backslash at the prompt for the address leave the terminal as it was`(key: String)
        async throws
    {
        try await OpenIDStage.run { stage in
            let arguments = ["--client-id", MisbehavingProvider.publicClient, "--store", "memory", "--paste"]
            let (login, keyboard) = try stage.tool.startOnTerminal(
                ["login", "--issuer", stage.provider.issuer] + arguments,
                then: "echo code $?; stty -a | grep -o -w -e '-*icanon'; echo end"
            )
            _ = try await login.read(until: "press Enter:")
            try keyboard.write(contentsOf: Data(key.utf8))
            let shown = try await login.read(until: "end")
            #expect(shown.contains("code 130"), "\(shown)")
            #expect(shown.contains("icanon") && !shown.contains("-icanon"), "\(shown)")
        }
    }
}
