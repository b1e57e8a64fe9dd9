// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

extension TerminalSuite {
    @Suite("Job control", .enabled(if: Executable.find("bash") != nil, "needs bash"))
    struct JobControlTests {
        @Test func `Ctrl-Z returns the terminal to the shell, and fg redraws the app`() async throws {
            try await ShellStage.launchBash { _, terminal, app in
                try await terminal.enter(app)
                try await terminal.wait(for: "● ○ ○")
                try await terminal.press("C-z")
                try await terminal.wait(for: "Stopped")
                try await terminal.wait(without: "● ○ ○")
                try await terminal.enter("fg")
                try await terminal.wait(for: "● ○ ○")
                try await terminal.wait(without: "Stopped")
                try await terminal.press("Right")
                try await terminal.wait(for: "○ ● ○")
            }
        }

        @Test func `an app continued in the background leaves the terminal to the shell`() async throws {
            try await ShellStage.launchBash { _, terminal, app in
                try await terminal.enter(app)
                try await terminal.wait(for: "● ○ ○")
                try await terminal.press("C-z")
                try await terminal.wait(for: "Stopped")
                // `set -b` makes the shell report it at once.
                try await terminal.enter("set -b; echo continued; bg")
                try await terminal.wait(for: "Stopped", below: "continued")
                try await terminal.wait(without: "● ○ ○")
                try await terminal.enter("fg")
                try await terminal.wait(for: "● ○ ○")
                try await terminal.press("Right")
                try await terminal.wait(for: "○ ● ○")
            }
        }

        @Test func `an app stopped by a signal is redrawn and accepts keys after it continues`() async throws {
            try await ShellStage.launchBash { stage, terminal, app in
                let identifier = stage.folder.url.appending(path: "app.pid")
                try await terminal.enter("sh -c 'echo $$ >\(identifier.path()); exec \(app)'")
                try await terminal.wait(for: "● ○ ○")
                let number = try String(contentsOf: identifier, encoding: .utf8)
                let process = try #require(Int32(number.trimmingCharacters(in: .whitespacesAndNewlines)))
                #expect(kill(process, SIGSTOP) == 0)
                try await terminal.wait(for: "Stopped")
                try await terminal.enter("clear")
                try await terminal.wait(without: "● ○ ○")
                try await terminal.enter("fg")
                try await terminal.wait(for: "● ○ ○")
                try await terminal.press("Right")
                try await terminal.wait(for: "○ ● ○")
            }
        }

        @Test(.enabled(if: Executable.find("setsid") != nil, "needs setsid"))
        func `an app is not stopped if no shell could continue it`() async throws {
            // tmux would continue its own child, so this process gets a session of its own, as below a plain terminal.
            try await ShellStage.launch(within: { "setsid \($0)" }) { _, terminal, _ in
                try await terminal.wait(for: "● ○ ○")
                try terminal.send(SIGTSTP)
                try await terminal.press("Right")
                try await terminal.wait(for: "○ ● ○")
            }
        }

        @Test func `Ctrl-Z stops an app that writes line by line because its screen can't be drawn`() async throws {
            try await ShellStage.launchBash(environment: ["TERM": "nonesuch"]) { _, terminal, app in
                try await terminal.enter(app)
                try await terminal.wait(for: "Page 1 of 3")
                try await terminal.press("C-z")
                try await terminal.wait(for: "Stopped")
                try await terminal.enter("fg")
                try await terminal.enter("1")
                try await terminal.wait(for: "Page 2 of 3")
            }
        }

        @Test func `keys typed while the size changes are not lost`() async throws {
            try await ShellStage.launch { _, terminal in
                try await terminal.wait(for: "● ○ ○")
                try terminal.send(SIGSTOP)
                try await terminal.resize(columns: 60, rows: 20)
                try await terminal.press("Right")
                try terminal.send(SIGCONT)
                try await terminal.wait(for: "○ ● ○")
            }
        }
    }
}

extension TerminalSession {
    /// Types a line of a shell.
    fileprivate func enter(_ line: String) async throws {
        try await type(line)
        try await press("Enter")
    }
}
