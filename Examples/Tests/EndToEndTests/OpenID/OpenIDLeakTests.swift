// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// All uses of a session at a provider, with the most verbose output.
@Suite(
    "Leaks of secrets of a session at a provider",
    .enabled(
        if: MisbehavingProvider.isAvailable && PrivateKeyring.isAvailable,
        "needs Python's cryptography, curl and gnome-keyring-daemon; Tests/run installs them"
    )
)
struct OpenIDLeakTests {
    @Test func `no code, token, verifier or secret is in a file, in the output or in the log`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            var outputs: [Command.Output] = []
            for client in ["public", "basic", "post", "ec"] {
                outputs += try await Self.useSession(on: stage, as: client, [], ending: "logout")
            }
            for options in [["--device"], ["--par"], ["--dpop"]] {
                outputs += try await Self.useSession(on: stage, as: "public", options, ending: "revoke")
            }
            outputs.append(try await Self.failed(on: stage))
            let kinds = Set(try await stage.provider.secrets().map(\.kind))
            #expect(
                kinds.isSuperset(of: [
                    "access_token", "client_assertion", "client_secret", "code", "code_verifier", "credentials",
                    "device_code", "id_token", "nonce", "private_key", "refresh_token", "state",
                ]),
                "\(kinds)"
            )
            try await stage.expectNoSecret(in: outputs)
        }
    }

    /// A search that finds nothing proves something only if it would find a secret.
    @Test func `the search finds a secret that is present`() async throws {
        try await OpenIDStage.runWithKeyring { stage in
            #expect(try await stage.login().exitCode == 0)
            let token = try await stage.tool("token").text.dropLast()
            #expect(try await stage.provider.secrets().contains { $0.value == token })
            let temporary = URL(filePath: try #require(stage.tool.environment["TMPDIR"]))
            try Data("in the middle of \(token) a file".utf8).write(to: temporary.appending(path: "note"))
            #expect(stage.files(containing: Data(token.utf8)) == ["home/tmp/note"])
        }
    }

    /// Runs a session from its beginning to its end; the output of `token` is left out, as it prints the token on
    /// purpose.
    private static func useSession(
        on stage: OpenIDStage,
        as client: String,
        _ options: [String],
        ending end: String
    ) async throws -> [Command.Output] {
        var outputs = [try await stage.login(as: client, options + ["--json", "--verbose"])]
        try #require(outputs[0].exitCode == 0, "\(outputs[0].errorText)")
        // Verbose enough for the search to mean something.
        #expect(outputs[0].notes.count > 3)
        let token = try await stage.tool("token", "--verbose")
        #expect(token.exitCode == 0, "\(token.errorText)")
        #expect(!token.errorText.contains(token.text.dropLast()))
        for command in [
            ["status"], ["status", "--json"], ["refresh"], ["userinfo"],
            ["api", "GET", stage.provider.issuer + "/userinfo", "--include"], [end],
        ] {
            let output = try await stage.tool.run(command + ["--verbose"])
            #expect(output.exitCode == 0, "\(client) \(options) \(command): \(output.errorText)")
            outputs.append(output)
        }
        return outputs
    }

    /// Signs in with an ID token that is refused: the message names the defect, but not the value.
    private static func failed(on stage: OpenIDStage) async throws -> Command.Output {
        try await stage.provider.misbehave("nonce-invalid")
        let output = try await stage.login(as: "public", ["--verbose"])
        #expect(output.exitCode == 7, "\(output.errorText)")
        return output
    }
}
