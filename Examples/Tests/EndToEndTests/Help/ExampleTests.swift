// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite("The examples in the help")
struct ExampleTests {
    @Test func `the help of every command has at least two examples, which the tool accepts`() async throws {
        try await HelpStage.run { stage in
            let commands = try await stage.commands()
            try #require(commands.contains("login") && commands.contains("completions"))
            for command in [""] + commands {
                let examples = HelpStage.examples(in: try await stage.help(command, "--help-all"))
                #expect(examples.count >= 2, "sallyport \(command)")
                for example in examples {
                    let output = try await stage.check(example)
                    #expect(output.exitCode == 0, "\(example): \(output.errorText)")
                }
            }
        }
    }

    @Test(arguments: [
        "sallyport login --issuer https://id.example.com", "sallyport token --json --header",
        "sallyport status --unknown", "sallyport frobnicate", "sallyport status | sallyport decode a b",
    ])
    func `the check of an example refuses wrong arguments`(line: String) async throws {
        try await HelpStage.run { stage in
            let output = try await stage.check(line)
            #expect(output.exitCode == 2)
        }
    }

    /// A line that the help breaks can't be copied.
    @Test func `no example is longer than a line of a terminal`() async throws {
        try await HelpStage.run { stage in
            for command in [""] + (try await stage.commands()) {
                let section = HelpStage.section(in: try await stage.help(command, "--help-all"))
                // Two columns are the indentation.
                #expect(section.allSatisfy { $0.count < 78 }, "sallyport \(command)")
                // A purpose, then its command line, and so on: nothing was wrapped.
                #expect(section.filter { $0.hasPrefix("sallyport ") }.count * 2 == section.count, "\(section)")
            }
        }
    }

    @Test(arguments: [
        (
            "git-credential", "git config --global --add credential.https://git.example.com.helper \\",
            "    '!sallyport git-credential --for https://git.example.com'"
        ),
        (
            "kubernetes-credential", "kubectl config set-credentials sallyport --exec-command=sallyport \\",
            "    --exec-arg=kubernetes-credential --exec-interactive-mode=Never \\"
        ),
        (
            "docker-credential", "#!/bin/sh",
            "  exec sallyport docker-credential --for https://registry.example.com \"$@\""
        ),
        ("bazel-credential", "#!/bin/sh", "  exec sallyport bazel-credential --for https://cache.example.com \"$@\""),
    ])
    func `the set-up of a credential helper can be copied`(command: String, first: String, next: String) async throws {
        try await HelpStage.run { stage in
            let help = try await stage.help(command)
            #expect(help.contains("  \(first)\n\(next)\n"))
        }
    }

    @Test func `the whole help of login has six common options first, and then the others by topic`() async throws {
        try await HelpStage.run { stage in
            let lines = try await stage.help("login", "--help-all").split(separator: "\n").map(String.init)
            let headings = lines.filter { $0.hasSuffix(":") && $0 == $0.uppercased() && !$0.hasPrefix(" ") }
            #expect(
                headings == [
                    "EXAMPLES:", "COMMON OPTIONS:", "PROVIDER:", "CLIENT:", "OAUTH 2.0:", "BROWSER:", "BACKEND:",
                    "EVERYWHERE:", "OPTIONS:",
                ]
            )
            let start = try #require(lines.firstIndex(of: "COMMON OPTIONS:"))
            let end = try #require(lines.firstIndex(of: "PROVIDER:"))
            let options = lines[start..<end].filter { $0.hasPrefix("  --") }
                .compactMap { $0.split(separator: " ").first.map(String.init) }
            #expect(options == ["--issuer", "--backend", "--provider", "--client-id", "--scope", "--device"])
        }
    }
}
