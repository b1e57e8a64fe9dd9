import Foundation
import TestSupport
import Testing

/// One at a time: each starts a terminal, an app and a backend.
@Suite(
    "The app in a real terminal",
    .serialized,
    .enabled(if: TerminalSession.isAvailable, "needs tmux; Tests/run installs it")
)
struct TerminalTests {
    /// Goes from the first launch to the main screen.
    private func signIn(_ terminal: TerminalSession) async throws {
        try await terminal.wait(for: "Book a pickup")
        try await terminal.press("s")
        try await terminal.wait(for: "[ Sign in with Apple ]")
        try await terminal.press("Enter")
        try await terminal.wait(for: "Hello, driver@example.com.")
    }

    @Test func `the first launch shows the onboarding, whose dots follow keys and swipes`() async throws {
        try await ShellStage.run { _, terminal in
            try await terminal.wait(for: "● ○ ○")
            try await terminal.press("Right")
            try await terminal.wait(for: "○ ● ○")
            try await terminal.press("n")
            try await terminal.wait(for: "○ ○ ●")
            try await terminal.wait(for: "Get started")
            try await terminal.press("b")
            try await terminal.wait(for: "○ ● ○")
            try await terminal.drag(from: (column: 20, row: 3), to: (column: 60, row: 3))
            try await terminal.wait(for: "● ○ ○")
            try await terminal.drag(from: (column: 60, row: 3), to: (column: 20, row: 3))
            try await terminal.wait(for: "Track your driver")
        }
    }

    @Test func `skipping leads to the sign-in, whose one button leads to the main screen with the name`() async throws {
        try await ShellStage.run { _, terminal in
            try await signIn(terminal)
            try await terminal.wait(for: "Activity")
        }
    }

    @Test func `a second launch shows no onboarding`() async throws {
        let again = try Executable.besideTests("umuve").path
        try await ShellStage.run("; echo over; read line; \(again) --store memory") { _, terminal in
            try await terminal.wait(for: "Book a pickup")
            try await terminal.press("s")
            try await terminal.wait(for: "[ Sign in with Apple ]")
            try await terminal.press("q")
            try await terminal.wait(for: "over")
            try await terminal.press("Enter")
            try await terminal.wait(for: "[ Sign in with Apple ]")
            try await terminal.press("q")
            try await terminal.wait(for: "exit 0")
        }
    }

    @Test func `the offline banner comes and goes with the backend`() async throws {
        try await ShellStage.run { stage, terminal in
            try await signIn(terminal)
            await stage.stop()
            try await terminal.wait(for: "Offline since")
            try await stage.startAgain()
            try await terminal.press("r")
            try await terminal.wait(without: "Offline since")
            try await terminal.wait(for: "Hello, driver@example.com.")
        }
    }

    @Test func `a sign-in that the backend does not answer says so below the button`() async throws {
        try await ShellStage.run { stage, terminal in
            try await terminal.wait(for: "Book a pickup")
            try await terminal.press("s")
            try await terminal.wait(for: "[ Sign in with Apple ]")
            await stage.stop()
            try await terminal.press("Enter")
            try await terminal.wait(without: "Cancel")
            let screen = try await terminal.wait(for: "[ Sign in with Apple ]")
            let below = try #require(screen.components(separatedBy: "[ Sign in with Apple ]").last)
            #expect(below.split(whereSeparator: \.isNewline).count { !$0.allSatisfy(\.isWhitespace) } >= 2, "\(screen)")
        }
    }

    @Test func `settings sign out, and lead back to the sign-in`() async throws {
        try await ShellStage.run { _, terminal in
            try await signIn(terminal)
            try await terminal.press("3")
            try await terminal.wait(for: "[ Sign out ]")
            try await terminal.press("Enter")
            try await terminal.wait(for: "[ Sign in with Apple ]")
        }
    }

    @Test func `a terminal that becomes smaller and larger is drawn anew`() async throws {
        try await ShellStage.run { _, terminal in
            try await terminal.wait(for: "● ○ ○")
            try await terminal.resize(columns: 20, rows: 6)
            // The hint goes first where there is no room.
            try await terminal.wait(without: "turn the page")
            try await terminal.wait(for: "[ Skip ]  [ Next ]")
            try await terminal.resize(columns: 100, rows: 30)
            try await terminal.wait(for: "turn the page")
        }
    }

    @Test(arguments: [("", true), ("1", false)])
    func `colours are left out where NO_COLOR says so`(value: String, isColoured: Bool) async throws {
        try await ShellStage.run(environment: ["NO_COLOR": value]) { _, terminal in
            try await terminal.wait(for: "● ○ ○")
            #expect(try await terminal.colouredScreen().contains("[36m") == isColoured)
        }
    }

    @Test(arguments: ["--plain", ""])
    func `line by line, numbers choose`(option: String) async throws {
        let environment = option.isEmpty ? ["TERM": "dumb"] : [:]
        try await ShellStage.run(option, environment: environment) { _, terminal in
            try await terminal.wait(for: "Page 1 of 3: Book a pickup")
            try await terminal.press("1", "Enter")
            try await terminal.wait(for: "Page 2 of 3: Track your driver")
            try await terminal.press("2", "Enter")
            try await terminal.wait(for: "1. Sign in with Apple")
            try await terminal.press("q", "Enter")
            try await terminal.wait(for: "exit 0")
        }
    }

    @Test func `Ctrl-C gives the terminal back`() async throws {
        try await ShellStage.run { _, terminal in
            try await terminal.wait(for: "● ○ ○")
            try await terminal.press("C-c")
            try await terminal.wait(for: "exit 130")
            try await terminal.wait(without: "● ○ ○")
        }
    }
}
