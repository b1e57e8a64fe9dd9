import Testing

extension TerminalSuite {
    @Suite("What the terminal's surroundings promise and don't have")
    struct FallbackTests {
        @Test func `a Unicode locale that is not installed is drawn in another one`() async throws {
            try await ShellStage.launch(environment: ["LC_ALL": "xx_XX.UTF-8"]) { _, terminal in
                try await terminal.wait(for: "● ○ ○")
                try await terminal.press("Right")
                try await terminal.wait(for: "○ ● ○")
            }
        }

        @Test func `another locale that is not installed gets dots that any can write`() async throws {
            try await ShellStage.launch(environment: ["LC_ALL": "xx_XX.ISO-8859-1"]) { _, terminal in
                try await terminal.wait(for: "* o o")
            }
        }

        @Test func `a terminal that nobody knows is written to line by line`() async throws {
            try await ShellStage.launch(environment: ["TERM": "nonesuch"]) { _, terminal in
                try await terminal.wait(for: "Page 1 of 3")
                try await terminal.press("1", "Enter")
                try await terminal.wait(for: "Page 2 of 3")
            }
        }
    }
}
