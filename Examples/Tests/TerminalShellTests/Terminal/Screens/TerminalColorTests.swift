// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

extension TerminalSuite {
    @Suite("The colours of the terminal")
    struct TerminalColorTests {
        /// The edge of the circle around a symbol.
        private static let edge = "▄"
        /// A terminal whose colours are components, for `tic`.
        private static let directTerminal = #"""
            shell-direct|a terminal with direct colors,
                RGB, ccc@, colors#0x1000000, pairs#0x7FFF, initc@, oc@, setb@, setf@,
                setab=\E[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
                setaf=\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
                use=xterm-256color,

            """#

        /// Expects a code of colours on the first screen, and a gradient or none.
        private func expect(_ code: String, hasGradient: Bool, in terminal: TerminalSession) async throws {
            try await terminal.wait(for: "● ○ ○")
            let screen = try await terminal.colouredScreen()
            #expect(screen.contains(code), "\(screen)")
            #expect(screen.contains(Self.edge) == hasGradient)
        }

        @Test func `a terminal of 256 colours shows the accent on white, and the symbols over gradients`() async throws
        {
            try await ShellStage.launch { _, terminal in
                try await expect("38;5;160", hasGradient: true, in: terminal)
                #expect(try await terminal.colouredScreen().contains("48;5;231"))
            }
        }

        @Test func `a terminal of 8 colours keeps its background`() async throws {
            try await ShellStage.launch(environment: ["TERM": "xterm"]) { _, terminal in
                try await expect("[31m", hasGradient: false, in: terminal)
                #expect(try await !terminal.colouredScreen().contains("48;"))
            }
        }

        @Test(.enabled(if: Executable.find("tic") != nil, "needs tic"))
        func `a terminal of direct colours shows those of the design`() async throws {
            try await ShellStage.run { stage in
                let source = stage.folder.url.appending(path: "direct.ti")
                try Data(Self.directTerminal.utf8).write(to: source)
                let database = try stage.folder.folder("terminfo")
                let tic = try await Command("tic", ["-x", "-o", database.path(), source.path()]).run()
                try #require(tic.exitCode == 0, "\(tic.errorText)")
                let environment = ["TERM": "shell-direct", "TERMINFO": database.path()]
                try await stage.launch(environment: environment) { terminal in
                    try await expect("38;2;220;38;38", hasGradient: true, in: terminal)
                    #expect(try await terminal.colouredScreen().contains("48;2;255;255;255"))
                }
            }
        }

        @Test func `the error of a sign-in is red, below the button`() async throws {
            try await ShellStage.run { stage in
                // No server listens at the port of "discard".
                try await stage.launch(backend: "http://127.0.0.1:9") { terminal in
                    try await terminal.skipOnboarding()
                    try await terminal.press("Enter")
                    let message = "Something went wrong"
                    try await terminal.wait(for: message, below: TerminalSession.signInButton)
                    let rows = try await terminal.colouredScreen().split(separator: "\n")
                    let row = try #require(rows.last { $0.contains(message) })
                    // The nearest of 256 colours to the palette's.
                    #expect(row.contains("38;5;124"), "\(row)")
                }
            }
        }
    }
}
