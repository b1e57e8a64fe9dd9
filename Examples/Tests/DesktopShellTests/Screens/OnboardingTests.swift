// SPDX-License-Identifier: Apache-2.0

import AppShell
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite {
    @Suite("The onboarding")
    struct OnboardingTests {
        @Test(arguments: Brand.all)
        func `the first launch shows three pages, and the last one leads to the sign-in`(brand: Brand) async throws {
            try await DesktopStage.launch(brand) { _, app in
                for (page, button) in zip(brand.pages, ["Next", "Next", "Get Started"]) {
                    let title = page.title
                    try await app.wait(for: title)
                    // The symbol is over the page's gradient.
                    try await app.wait(forColour: try #require(page.gradient).color(at: 0.5).hex)
                    #expect(try await app.dots() == "\(brand.pages.count)")
                    // While a page turns, some of both may be read.
                    let screen = try await app.wait(for: title)
                    #expect(screen.contains("heading: \(title)"))
                    #expect(screen.contains("button: \(button)"))
                    #expect(screen.contains("button: Skip") == (button == "Next"))
                    // A screen reader reads one page.
                    #expect(brand.titles.filter { other in screen.contains { $0.contains(other) } } == [title])
                    try await app.press(button)
                }
                try await app.wait(for: DesktopApp.signInButton)
            }
        }

        @Test func `the arrow keys turn the pages, and Enter continues`() async throws {
            let titles = Brand.customer.titles
            try await DesktopStage.launch { _, app in
                try await app.wait(for: titles[0])
                try await app.pressKey("Right")
                try await app.wait(for: titles[1])
                try await app.pressKey("Left")
                try await app.wait(for: titles[0])
                for title in titles.dropFirst() {
                    try await app.pressKey("Return")
                    try await app.wait(for: title)
                }
                try await app.pressKey("Return")
                try await app.wait(for: DesktopApp.signInButton)
            }
        }

        @Test func `the second launch shows no onboarding, and a new installation does`() async throws {
            try await DesktopStage.run { stage in
                try await stage.launch {
                    try await $0.skipOnboarding()
                    try await $0.quit()
                }
                try await stage.launch {
                    let screen = try await $0.wait(for: DesktopApp.signInButton)
                    #expect(screen.contains("heading: umuve"))
                    try await $0.quit()
                }
                try stage.removeSettings(of: .customer)
                try await stage.launch { try await $0.wait(for: Brand.customer.titles[0]) }
            }
        }
    }
}
