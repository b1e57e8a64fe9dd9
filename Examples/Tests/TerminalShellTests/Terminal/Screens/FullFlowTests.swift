// SPDX-License-Identifier: Apache-2.0

import Testing
import UmuveBrands

@testable import TerminalShell

extension TerminalSuite {
    @Suite("From the first launch to the sign-out")
    struct FullFlowTests {
        @Test(arguments: Brand.all)
        func `each app has its own pages, sign-in, tabs and sign-out`(brand: Brand) async throws {
            try await ShellStage.launch(brand) { _, terminal in
                for title in brand.titles {
                    try await terminal.wait(for: title)
                    try await terminal.press("Enter")
                }
                try await terminal.wait(for: TerminalSession.signInButton)
                try await terminal.press("Enter")
                try await terminal.wait(for: brand.greeting)
                let titles = ShellTab.tabs(of: brand).map(\.title)
                try await terminal.wait(for: titles.joined(separator: "   "))
                try await terminal.press("2")
                try await terminal.wait(for: brand == .driver ? "One job done." : "Your pickups")
                try await terminal.press("Right")
                try await terminal.wait(for: "Signed in as \(ShellStage.userName)")
                try await terminal.wait(for: "[ Sign out ]")
                try await terminal.press("Tab", "Enter")
                try await terminal.wait(for: TerminalSession.signInButton)
                try await terminal.wait(without: ShellStage.userName)
            }
        }

        @Test func `a click on a tab opens it`() async throws {
            try await ShellStage.launch { _, terminal in
                try await terminal.signIn()
                try await terminal.click(on: "Activity")
                try await terminal.wait(for: "Your pickups")
                try await terminal.click(on: "Settings")
                try await terminal.click(on: "[ Sign out ]")
                try await terminal.wait(for: TerminalSession.signInButton)
            }
        }
    }
}
