// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UmuveBrands

extension DesktopSuite {
    @Suite("What the desktop's settings change")
    struct AppearanceTests {
        /// Goes through the app, and calls a function on each screen.
        private func visitAll(_ app: DesktopApp, _ visit: (_ screen: String) async throws -> Void) async throws {
            for (title, button) in zip(Brand.customer.titles, ["Next", "Next", "Get Started"]) {
                try await app.wait(for: title)
                try await visit(title)
                try await app.press(button)
            }
            try await app.wait(for: DesktopApp.signInButton)
            try await visit("sign-in")
            try await app.press(DesktopApp.signInButton)
            try await app.wait(for: Brand.customer.greeting)
            for tab in ["Home", "Activity", "Settings"] {
                try await app.press(tab)
                try await visit(tab)
            }
        }

        @Test func `with large text, every screen fits into the window, works, and has a name for each control`()
            async throws
        {
            try await DesktopStage.run { stage in
                try stage.setDesktop("gtk-font-name=Sans 22")
                try await stage.launch { app in
                    try await visitAll(app) { screen in
                        let size = try await app.size()
                        #expect(size == "420x760", "\(screen)")
                        #expect(try await app.unnamed() == [], "\(screen)")
                    }
                }
            }
        }

        @Test(arguments: [(true, 5...Int.max), (false, 0...4)])
        func `the pages slide, unless the desktop's animations are off`(isOn: Bool, pictures: ClosedRange<Int>)
            async throws
        {
            try await DesktopStage.run { stage in
                try stage.setDesktop("gtk-enable-animations=\(isOn)")
                try await stage.launch { app in
                    try await app.wait(for: Brand.customer.titles[0])
                    let count = try await app.frames(after: "Right")
                    #expect(pictures.contains(count))
                    try await app.wait(for: Brand.customer.titles[1])
                }
            }
        }

        @Test(arguments: [("prefer-light", "#ffffff"), ("prefer-dark", "#242424")])
        func `the background follows the desktop's light or dark colours`(scheme: String, colour: String) async throws {
            try await DesktopStage.launch(environment: ["ADW_DEBUG_COLOR_SCHEME": scheme]) { _, app in
                try await visitAll(app) { screen in
                    let shown = try await app.colour(x: 12, y: 100)
                    #expect(shown == colour, "\(screen)")
                }
            }
        }

        @Test func `the keyboard alone leads from the first launch to the sign-out`() async throws {
            try await DesktopStage.launch { _, app in
                for title in Brand.customer.titles {
                    try await app.wait(for: title)
                    try await app.pressKey("Return")
                }
                try await app.wait(for: DesktopApp.signInButton)
                try await app.pressKey("Return")
                try await app.wait(for: Brand.customer.greeting)
                try await app.reach("Settings", pressing: "space")
                try await app.wait(for: "Signed in as \(DesktopStage.userName)")
                try await app.reach("Sign out")
                try await app.wait(for: DesktopApp.signInButton)
            }
        }

        @Test func `the keyboard alone signs in with a password`() async throws {
            try await DesktopStage.launch(.business) { stage, app in
                try await stage.addAccount()
                try await app.wait(for: Brand.business.titles[0])
                try await app.reach("Skip")
                try await app.wait(for: "E-mail address")
                try await app.pressKeys(DesktopStage.accountEmail, at: "E-mail address")
                try await app.pressKeys(DesktopStage.accountPassword, at: "Password")
                try await app.pressKey("Return")
                try await app.wait(for: "Hello, Ada.")
            }
        }
    }
}
