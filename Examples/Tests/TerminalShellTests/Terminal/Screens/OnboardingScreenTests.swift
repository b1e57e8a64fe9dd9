// SPDX-License-Identifier: Apache-2.0

import Testing
import UmuveBrands

extension TerminalSuite {
    @Suite("The onboarding")
    struct OnboardingScreenTests {
        @Test func `the first launch shows the onboarding, whose dots follow keys and swipes`() async throws {
            try await ShellStage.launch { _, terminal in
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

        @Test func `a second launch shows no onboarding`() async throws {
            try await ShellStage.run { stage in
                try await stage.launch { terminal in
                    try await terminal.skipOnboarding()
                    try await terminal.quit()
                }
                try await stage.launch { try await $0.wait(for: TerminalSession.signInButton) }
                // The other app is another installation.
                try await stage.launch(.driver) { try await $0.wait(for: Brand.driver.titles[0]) }
            }
        }

        @Test func `a click on Skip leads to the sign-in`() async throws {
            try await ShellStage.launch { _, terminal in
                try await terminal.click(on: "[ Skip ]")
                try await terminal.wait(for: TerminalSession.signInButton)
            }
        }
    }
}
