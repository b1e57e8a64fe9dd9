// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UmuveBrands

extension DesktopSuite {
    @Suite("The main screen")
    struct MainTests {
        @Test(arguments: Brand.all)
        func `each app has its own tabs, and a sign-out in Settings`(brand: Brand) async throws {
            try await DesktopStage.launch(brand) { _, app in
                try await app.signIn(brand)
                let (first, second) = brand == .driver ? ("Jobs", "Earnings") : ("Home", "Activity")
                let screen = try await app.wait(for: "Settings")
                let tabs = screen.filter { $0.hasPrefix("tab: ") }
                #expect(tabs == ["tab: \(first)", "tab: \(second)", "tab: Settings"])
                try await app.press(second)
                try await app.wait(for: brand == .driver ? "One job done." : "Your pickups")
                try await app.press("Settings")
                let settings = try await app.wait(for: "Signed in as \(DesktopStage.userName)")
                #expect(settings.contains("label: The session ends with this program."))
                try await app.signOut()
                try await app.wait(without: DesktopStage.userName)
            }
        }

        @Test func `the banner appears if the backend stops, and goes by itself`() async throws {
            try await DesktopStage.launch { stage, app in
                try await app.signIn()
                await stage.stop()
                try await app.wait(for: "Offline since")
                try await app.wait(for: Brand.customer.greeting)
                try await stage.startAgain()
                try await app.wait(without: "Offline since")
                try await app.wait(for: Brand.customer.greeting)
            }
        }

        @Test func `the banner goes if the user tries again`() async throws {
            try await DesktopStage.launch { stage, app in
                try await app.signIn()
                // The app may be online by itself before the press; then it goes offline once more.
                var isPressed = false
                for _ in 0..<3 where !isPressed {
                    await stage.stop()
                    try await app.wait(for: "Offline since")
                    try await stage.startAgain()
                    isPressed = (try? await app.press("Try again")) != nil
                    try await app.wait(without: "Offline since")
                }
                #expect(isPressed)
            }
        }

        @Test(arguments: [SIGTERM, SIGQUIT])
        func `a signal ends the app, with its number in the exit code`(signal: Int32) async throws {
            try await DesktopStage.launch { _, app in
                try await app.signIn()
                try await app.send(signal)
                #expect(try await app.waitForExit() == 128 + signal)
            }
        }
    }
}
