// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

@Suite("The completion scripts")
struct CompletionTests {
    @Test func `bash completes a command and the options of a command`() async throws {
        try await HelpStage.run { stage in
            let output = try await stage.tool("completions", "bash")
            #expect(output.exitCode == 0)
            let script = stage.folder.url.appending(path: "sallyport")
            try Data(output.standardOutput).write(to: script)
            let syntax = try await Command("bash", ["-n", script.path()]).run()
            #expect(syntax.exitCode == 0, "\(syntax.errorText)")
            #expect(try await Self.complete("sallyport lo", with: script) == ["login", "logout"])
            #expect(try await Self.complete("sallyport comp", with: script) == ["completions"])
            #expect(try await Self.complete("sallyport login --iss", with: script) == ["--issuer"])
            #expect(try await Self.complete("sallyport completions f", with: script) == ["fish"])
            let address = "sallyport login --issuer https://id.example.com:8443/a"
            #expect(try await Self.complete("\(address) --client-i", with: script) == ["--client-id"])
            #expect(try await Self.complete("\(address) --client-id a --sco", with: script) == ["--scope"])
            #expect(try await Self.complete("sallyport login --param a=b --sco", with: script) == ["--scope"])
            // bash would put the candidate behind the last colon.
            let file = stage.folder.url.appending(path: "a:bcd").path()
            try Data().write(to: URL(filePath: file))
            let part = file.dropLast(2)
            #expect(try await Self.complete("sallyport login --client-secret-file \(part)", with: script).isEmpty)
            #expect(try await Self.complete("sallyport statxx", cursor: 2, with: script) == ["status"])
            // The command for tests is not offered.
            #expect(try await Self.complete("sallyport par", with: script).isEmpty)
        }
    }

    @Test(arguments: [("zsh", "#compdef sallyport"), ("fish", "complete -c 'sallyport'")])
    func `the script of another shell is printed and is valid there`(shell: String, part: String) async throws {
        try await HelpStage.run { stage in
            let output = try await stage.tool("completions", shell)
            #expect(output.exitCode == 0)
            #expect(output.text.contains(part))
            #expect(output.errorText.isEmpty)
            guard Executable.find(shell) != nil else { return }
            let script = stage.folder.url.appending(path: "script")
            try Data(output.standardOutput).write(to: script)
            let syntax = try await Command(shell, ["-n", script.path()]).run()
            #expect(syntax.exitCode == 0, "\(syntax.errorText)")
        }
    }

    @Test(arguments: [["completions"], ["completions", "tcsh"]])
    func `an unknown shell ends with exit code 2`(arguments: [String]) async throws {
        try await HelpStage.run { stage in
            let output = try await stage.tool.run(arguments)
            #expect(output.exitCode == 2)
            #expect(output.text.isEmpty)
        }
    }

    /// Returns the completions at a number of characters before the end of a line, as bash offers them.
    private static func complete(_ line: String, cursor: Int = 0, with script: URL) async throws -> [String] {
        let program = """
            source "$1"
            COMP_LINE=$2
            COMP_POINT=$((${#COMP_LINE} - $3))
            split() { read -ra COMP_WORDS <<<"$(sed 's/[:=]/ & /g' <<<"$1")"; }
            split "${COMP_LINE:0:COMP_POINT}"
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            current=${COMP_WORDS[-1]}
            previous=${COMP_WORDS[-2]}
            split "$COMP_LINE"
            registered=$(complete -p sallyport)
            registered=${registered#*-F }
            ${registered% *} sallyport "$current" "$previous"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let output = try await Command("bash", ["-c", program, "bash", script.path(), line, "\(cursor)"]).run()
        #expect(output.errorText.isEmpty)
        return output.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.sorted()
    }
}
