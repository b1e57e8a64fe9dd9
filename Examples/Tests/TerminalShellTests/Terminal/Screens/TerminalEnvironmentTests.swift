// SPDX-License-Identifier: Apache-2.0

import Foundation
import TerminalShell
import Testing

extension TerminalSuite {
    @Suite("The terminal's environment")
    struct TerminalEnvironmentTests {
        @Test func `the app is redrawn if the terminal becomes smaller or larger`() async throws {
            try await ShellStage.launch { _, terminal in
                try await terminal.wait(for: "● ○ ○")
                try await terminal.resize(columns: 20, rows: 6)
                // The hint is the first element that is dropped if there is no room.
                try await terminal.wait(without: "turn the page")
                try await terminal.wait(for: "[ Next ]", below: "[ Skip ]")
                try await terminal.resize(columns: 100, rows: 30)
                try await terminal.wait(for: "turn the page")
            }
        }

        @Test(arguments: [("", true), ("1", false)])
        func `colours are omitted if NO_COLOR has a value`(value: String, isColoured: Bool) async throws {
            try await ShellStage.launch(environment: ["NO_COLOR": value]) { _, terminal in
                try await terminal.wait(for: "● ○ ○")
                // The accent, of 256 colours.
                #expect(try await terminal.colouredScreen().contains("38;5;160") == isColoured)
            }
        }

        @Test func `a locale without Unicode gets ASCII dots`() async throws {
            try await ShellStage.launch(environment: ["LC_ALL": "C"]) { _, terminal in
                let screen = try await terminal.wait(for: "* o o")
                #expect(screen.allSatisfy { $0.isASCII }, "\(screen)")
                try await terminal.press("Right")
                try await terminal.wait(for: "o * o")
            }
        }

        @Test func `a machine without a keyring gets a hint to use the file store`() async throws {
            try await ShellStage.run { stage in
                try await stage.launch { try await $0.skipOnboarding() }
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.wait(for: "Start it with --store file.", below: "There is no keyring here.")
                    try await terminal.quit()
                }
            }
        }

        @Test func `Ctrl-C restores the terminal`() async throws {
            try await ShellStage.launch { _, terminal in
                try await terminal.wait(for: "● ○ ○")
                try await terminal.press("C-c")
                try await terminal.wait(for: "exit 130")
                try await terminal.wait(without: "● ○ ○")
            }
        }

        @Test(arguments: [SIGTERM, SIGHUP])
        func `a signal that ends the app restores the terminal`(signal: Int32) async throws {
            try await ShellStage.launch { _, terminal in
                try await terminal.wait(for: "● ○ ○")
                try terminal.send(signal)
                try await terminal.wait(for: "exit \(128 + signal)")
                try await terminal.wait(without: "● ○ ○")
            }
        }
    }
}
