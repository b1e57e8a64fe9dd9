// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite(
    "A device code on a terminal",
    .enabled(if: MisbehavingProvider.isAvailable, "needs Python's cryptography and curl; Tests/run installs them")
)
struct DeviceCodeTests {
    private static let code = "▀▄ the QR code ▄▀"

    @Test func `the output of qrencode is shown above the address, which is no argument of it`() async throws {
        try await OpenIDStage.run { stage in
            var stage = stage
            let seen = stage.folder.url.appending(path: "seen")
            let note = #"IFS= read -r address; printf '%s\n' "$address" "$*" >'\#(seen.path())'"#
            try await Self.install("\(note); echo '\(Self.code)'", on: &stage)

            // Nobody can scan a file.
            let piped = try await stage.login(as: "public", ["--device", "--store", "memory"])
            #expect(piped.exitCode == 0, "\(piped.errorText)")
            #expect(!FileManager.default.fileExists(atPath: seen.path()))

            let shown = try await Self.loginOnTerminal(stage)
            let parts = shown.components(separatedBy: Self.code)
            #expect(parts.count == 2, "\(shown)")
            #expect(parts.last?.contains("    \(stage.provider.issuer)/device") == true, "\(shown)")
            let lines = try String(contentsOf: seen, encoding: .utf8).split(separator: "\n")
            #expect(lines.first?.hasPrefix("\(stage.provider.issuer)/device?user_code=") == true, "\(lines)")
            #expect(lines.dropFirst() == ["-t ANSI256UTF8"])
        }
    }

    @Test(arguments: [
        nil, "echo '\(code)'; exit 1", "exit 0", "i=0; while [ $i -lt 50 ]; do echo '\(code)'; i=$((i + 1)); done",
    ])
    func `the address is shown alone if qrencode is missing or draws nothing that fits`(script: String?) async throws {
        try await OpenIDStage.run { stage in
            var stage = stage
            try await Self.install(script, on: &stage)
            let shown = try await Self.loginOnTerminal(stage)
            #expect(shown.contains("Open this address on any device, and type the code there:"), "\(shown)")
            #expect(!shown.contains("Scan this") && !shown.contains(Self.code), "\(shown)")
            #expect(shown.contains("    \(stage.provider.issuer)/device"), "\(shown)")
        }
    }

    /// Signs in, and returns what the terminal shows.
    private static func loginOnTerminal(_ stage: OpenIDStage) async throws -> String {
        let output = try await stage.tool.onTerminal(
            "login",
            "--issuer",
            stage.provider.issuer,
            "--client-id",
            MisbehavingProvider.publicClient,
            "--device",
            "--store",
            "memory"
        )
        #expect(output.exitCode == 0, "\(output.text)")
        return output.text
    }

    /// Gives the tool a `PATH` with nothing but `timeout`, and a script in place of `qrencode` unless it is nil.
    private static func install(_ script: String?, on stage: inout OpenIDStage) async throws {
        let folder = stage.folder.url.appending(path: "programs")
        let timeout = try #require(Executable.find("timeout"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: folder.appending(path: "timeout"), withDestinationURL: timeout)
        if let script {
            // Written by a child: a file that this process has open for writing can't be executed.
            let write = #"printf '#!/bin/sh\n%s\n' "$1" >"$2" && chmod 755 "$2""#
            let file = folder.appending(path: "qrencode").path()
            let written = try await Command("sh", ["-c", write, "sh", script, file]).run()
            try #require(written.exitCode == 0, "\(written.errorText)")
        }
        let terminal = ["PATH": folder.path(), "LC_ALL": "C.UTF-8", "TERM": "xterm"]
        stage.tool.environment.merge(terminal) { _, new in new }
        stage.tool.environment["NO_COLOR"] = nil
    }
}
