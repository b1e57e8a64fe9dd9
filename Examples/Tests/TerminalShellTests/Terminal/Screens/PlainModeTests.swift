// SPDX-License-Identifier: Apache-2.0

import Testing
import UmuveBrands

@testable import TerminalShell

extension TerminalSuite {
    @Suite("The plain shell in a terminal")
    struct PlainModeTests {
        @Test(arguments: ["--plain", ""])
        func `a number selects a choice`(option: String) async throws {
            let environment = option.isEmpty ? ["TERM": "dumb"] : [:]
            try await ShellStage.launch(options: option, environment: environment) { _, terminal in
                try await terminal.wait(for: "Page 1 of 3: Book a pickup")
                try await terminal.press("1", "Enter")
                try await terminal.wait(for: "Page 2 of 3: Track your driver")
                try await terminal.press("2", "Enter")
                try await terminal.wait(for: "1. Sign in with Apple")
                try await terminal.press("x", "Enter")
                try await terminal.wait(for: "Enter alone reads all again.")
                try await terminal.press("Enter")
                try await terminal.wait(for: "1. Sign in with Apple", below: "Enter alone reads all again.")
                try await terminal.press("q", "Enter")
                try await terminal.wait(for: "exit 0")
            }
        }

        @Test func `numbers are enough to use the app from the onboarding to the sign-out`() async throws {
            let brand = Brand.driver
            let size = ScreenSize(columns: 100, rows: 80)
            try await ShellStage.launch(brand, options: "--plain", size: size) { stage, terminal in
                try await terminal.choose("Next", below: "Page 1 of 3: \(brand.titles[0])")
                try await terminal.choose("Next", below: "Page 2 of 3: \(brand.titles[1])")
                try await terminal.choose("Get started", below: "Page 3 of 3: \(brand.titles[2])")
                try await terminal.choose("Sign in with Apple", below: "\(brand.name): sign in")
                let tabs = ShellTab.tabs(of: brand).map(\.title)
                try await terminal.wait(for: ShellStage.userName, below: "\(tabs[0]).")
                await stage.stop()
                try await terminal.choose("Try again", below: "Offline since")
                try await terminal.wait(for: "Still offline.", below: "Offline since")
                try await stage.startAgain()
                try await terminal.choose("Settings", below: "Online again.")
                try await terminal.choose("Sign out", below: "Settings. Signed in as \(ShellStage.userName).")
                try await terminal.wait(for: "\(brand.name): sign in", below: "Settings. Signed in as")
                try await terminal.choose("Quit", below: "\(brand.name): sign in")
                try await terminal.wait(for: "exit 0")
            }
        }
    }
}
