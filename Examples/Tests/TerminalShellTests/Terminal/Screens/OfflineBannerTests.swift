// SPDX-License-Identifier: Apache-2.0

import Testing
import UmuveBrands

extension TerminalSuite {
    @Suite("The offline banner")
    struct OfflineBannerTests {
        @Test func `the banner appears if the backend stops, and disappears once the backend is back`() async throws {
            try await ShellStage.launch { stage, terminal in
                try await terminal.signIn()
                await stage.stop()
                try await terminal.wait(for: "Offline since")
                try await terminal.wait(for: Brand.customer.greeting)
                try await stage.startAgain()
                try await terminal.wait(without: "Offline since")
                try await terminal.wait(for: Brand.customer.greeting)
            }
        }

        @Test func `the banner disappears if the user tries again`() async throws {
            try await ShellStage.launch { stage, terminal in
                try await terminal.signIn()
                await stage.stop()
                try await terminal.wait(for: "[ Try again ]", below: "Offline since")
                try await stage.startAgain()
                try await terminal.press("r")
                try await terminal.wait(without: "Offline since")
                try await terminal.wait(for: Brand.customer.greeting)
            }
        }
    }
}
