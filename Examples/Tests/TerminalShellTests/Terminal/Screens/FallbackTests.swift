// SPDX-License-Identifier: Apache-2.0

import Testing

extension TerminalSuite {
    @Suite("Missing locales and unknown terminals")
    struct FallbackTests {
        @Test func `a Unicode locale that is not installed is replaced by another Unicode locale`() async throws {
            try await ShellStage.launch(environment: ["LC_ALL": "xx_XX.UTF-8"]) { _, terminal in
                try await terminal.wait(for: "● ○ ○")
                try await terminal.press("Right")
                try await terminal.wait(for: "○ ● ○")
            }
        }

        @Test func `another locale that is not installed gets ASCII dots`() async throws {
            try await ShellStage.launch(environment: ["LC_ALL": "xx_XX.ISO-8859-1"]) { _, terminal in
                try await terminal.wait(for: "* o o")
            }
        }

        @Test func `an unknown terminal gets output line by line`() async throws {
            try await ShellStage.launch(environment: ["TERM": "nonesuch"]) { _, terminal in
                try await terminal.wait(for: "Page 1 of 3")
                try await terminal.press("1", "Enter")
                try await terminal.wait(for: "Page 2 of 3")
            }
        }
    }
}
