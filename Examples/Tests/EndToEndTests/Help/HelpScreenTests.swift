// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import Testing

@Suite("The help on one screen")
struct HelpScreenTests {
    @Test(arguments: [
        [], ["--help"], ["help"], ["login", "--help"], ["help", "login"], ["login", "github", "--help"],
    ])
    func `the help of the tool and of login fits on a screen of 24 lines and 80 columns`(words: [String])
        async throws
    {
        try await HelpStage.run { stage in
            let output = try await stage.tool.run(words)
            #expect(output.exitCode == 0)
            let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false)
            // The last line ends with a line break.
            #expect(lines.count <= 25, "\(output.text)")
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(output.text)")
            #expect(output.text.contains("--help-all"))
        }
    }

    @Test func `the help has three groups with every command, and the whole help describes each`() async throws {
        try await HelpStage.run { stage in
            let (screen, all) = (try await stage.help(""), try await stage.help("", "--help-all"))
            let headings = screen.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
            #expect(headings == ["SIGN IN:", "USE:", "LOOK AFTER:", "EXAMPLES:"])
            // The left column: the words of the descriptions are commands, too.
            let lines = screen.split(separator: "\n").prefix { $0 != "EXAMPLES:" }.filter { $0.hasPrefix("  ") }
            let names = lines.map { $0.hasSuffix(",") ? $0 : $0.prefix(24) }
            let words = Set(names.flatMap { $0.split { !$0.isLetter && $0 != "-" } }.map(String.init))
            for command in try await stage.commands() {
                #expect(words.contains(command), "\(command)")
                #expect(all.contains("\n  \(command) "), "\(command)")
            }
            #expect(all.contains("Exit codes: 0 done;"))
        }
    }

    @Test func `the help of login has ten options, which the whole help has too`() async throws {
        try await HelpStage.run { stage in
            let (screen, all) = (try await stage.help("login"), try await stage.help("login", "--help-all"))
            let options = screen.split(separator: "\n").filter { $0.hasPrefix("  --") }
                .compactMap { $0.split(separator: " ").first }
            #expect(options.count == 10)
            for option in options where option != "--help-all" { #expect(all.contains("  \(option) "), "\(option)") }
        }
    }

    @Test func `a command after -- gets its own --help-all`() async throws {
        try await HelpStage.run { stage in
            let output = try await stage.tool("exec", "--", "echo", "--help-all")
            #expect(output.exitCode != 0)
            #expect(output.text.isEmpty)
        }
    }
}
