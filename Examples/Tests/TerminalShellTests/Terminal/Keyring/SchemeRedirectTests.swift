// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import TerminalShell
import SharedTestSupport
import Testing
import UmuveBrands

extension TerminalSuite.Keyring {
    /// The way back from the browser by an address that the system opens the app with.
    ///
    /// `xdg-open` is the real one. It gives such an address to a program only if there is a screen, so the variable that
    /// names one is set; no program connects to it.
    @Suite(
        "The redirect to the app's own scheme",
        .enabled(if: Executable.find("xdg-open") != nil, "needs xdg-open; Tests/run installs it")
    )
    struct SchemeRedirectTests {
        private static let screen = ["DISPLAY": ":0"]
        /// The ways in which `xdg-open` finds a program: by itself, and with `gio`.
        private static let desktops = [screen, ["XDG_CURRENT_DESKTOP": "GNOME"]]
        private static let scheme = "--redirect scheme"
        private static let browserHint = "No browser? Open on this machine:"
        private static let noBrowser = screen.merging(["BROWSER": "/nonexistent"]) { $1 }

        @Test(arguments: Brand.all, desktops)
        func `the system's opener leads back to the app that waits`(
            brand: Brand,
            desktop: [String: String]
        ) async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                let scheme = Self.scheme
                try await stage.launch(brand, store: .keyring, options: scheme, environment: desktop) { terminal in
                    try await terminal.signIn(brand)
                    #expect(!stage.oneTimeCodes.isEmpty)
                    #expect(stage.filesWithOneTimeCodes.isEmpty)
                    try await terminal.quit()
                }
                try await stage.launch(brand, store: .keyring) { try await $0.wait(for: brand.greeting) }
            }
        }

        @Test func `the sign-in of a process that has ended is completed, and the next one is signed in`()
            async throws
        {
            try await ShellStage.runWithKeyring { stage, _ in
                let address = try await Self.beginAndQuit(stage)
                let browser = try await stage.browse(to: address, Self.screen)
                #expect(browser.exitCode == 0, "\(browser.errorText)")
                #expect(browser.text == "You are signed in to Umuve. Start it to go on.\n")
                #expect(stage.filesWithOneTimeCodes.isEmpty)
                try await stage.launch(store: .keyring) { try await $0.wait(for: Brand.customer.greeting) }
            }
        }

        @Test func `the next process completes the sign-in if it runs already`() async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                let address = try await Self.beginAndQuit(stage)
                // Registered by now, so the option is the default.
                try await stage.launch(store: .keyring, environment: Self.noBrowser) { terminal in
                    try await terminal.wait(for: TerminalSession.signInButton)
                    let browser = try await stage.browse(to: address, Self.screen)
                    #expect(browser.text == "Umuve goes on with the sign-in.\n", "\(browser.errorText)")
                    try await terminal.wait(for: Brand.customer.greeting)
                }
            }
        }

        @Test func `another address, a forged state and a second delivery change nothing`() async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring, options: Self.scheme, environment: Self.noBrowser) { terminal in
                    let address = try await terminal.beginSignIn()
                    let waiting = try await terminal.wait(for: "[ Cancel ]", below: Self.browserHint)
                    for forged in [
                        "com.goumuve.pro:/callback?code=c&state=s", "com.goumuve.app:/other?code=c&state=s",
                        "com.goumuve.app:/callback", "com.goumuve.app:/callback?code=c",
                        "com.goumuve.app:/callback?code=c&state=forged",
                        "com.goumuve.app:/callback?error=access_denied",
                        "com.goumuve.app:/callback?code=c&state=" + String(repeating: "a", count: 20_000),
                    ] {
                        #expect(try await stage.open(forged, Self.noBrowser).exitCode != 0)
                    }
                    #expect(try await terminal.wait(for: "[ Cancel ]", below: Self.browserHint) == waiting)
                    let opened = try await stage.browse(to: address, Self.screen, keepingIn: "opened")
                    #expect(opened.exitCode == 0, "\(opened.errorText)")
                    try await terminal.wait(for: Brand.customer.greeting)
                    let redirect = try String(contentsOf: stage.folder.url.appending(path: "opened"), encoding: .utf8)
                    let second = try await stage.open(redirect, Self.noBrowser)
                    #expect(second.exitCode != 0)
                    #expect(second.errorText.contains("No sign-in to Umuve waits for this address."))
                    #expect(!second.errorText.contains(redirect))
                    try await terminal.wait(for: Brand.customer.greeting)
                }
            }
        }

        @Test func `another profile's app changes nothing, and the right one is found beside it`() async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                let (own, noBrowser) = (Self.scheme, Self.noBrowser)
                let other = "\(own) --profile other"
                try await stage.launch(store: .keyring, options: other, environment: noBrowser) { otherTerminal in
                    _ = try await otherTerminal.beginSignIn()
                    try await stage.launch(store: .keyring, options: own, environment: noBrowser) { terminal in
                        let address = try await terminal.beginSignIn(hasOnboarding: false)
                        let browser = try await stage.browse(to: address, Self.screen)
                        #expect(browser.exitCode == 0, "\(browser.errorText)")
                        try await terminal.wait(for: Brand.customer.greeting)
                    }
                    try await otherTerminal.wait(for: "[ Cancel ]")
                }
            }
        }

        @Test func `a sign-in that the user has cancelled is not completed`() async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring, options: Self.scheme, environment: Self.noBrowser) { terminal in
                    let address = try await terminal.beginSignIn()
                    try await terminal.press("Escape")
                    try await terminal.wait(for: TerminalSession.signInButton)
                    let browser = try await stage.browse(to: address, Self.screen)
                    #expect(browser.exitCode != 0)
                    try await terminal.wait(for: TerminalSession.signInButton)
                    try await terminal.quit()
                }
                try await stage.launch(store: .keyring) { try await $0.wait(for: TerminalSession.signInButton) }
            }
        }

        @Test func `the registration is removed, and the redirect is the loopback interface again`()
            async throws
        {
            try await ShellStage.runWithKeyring { stage, _ in
                _ = try await Self.beginAndQuit(stage)
                let program = try Executable.besideTests(Brand.customer.executable).path
                let removed = try await Command(program, ["--unregister"], environment: stage.environment).run()
                #expect(removed.exitCode == 0, "\(removed.errorText)")
                #expect(try await stage.open("com.goumuve.app:/callback?code=c&state=s", Self.noBrowser).exitCode == 3)
                try await stage.launch(store: .keyring, environment: Self.noBrowser) { terminal in
                    let address = try await terminal.beginSignIn(hasOnboarding: false)
                    #expect(address.contains("redirect_uri=http%3A%2F%2F127.0.0.1"))
                }
            }
        }

        @Test(.enabled(if: Executable.find("chromium") != nil, "needs chromium; Tests/run --all installs it"))
        func `a real browser leads back to the app that waits`() async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring, options: Self.scheme, environment: Self.noBrowser) { terminal in
                    let browser = try stage.startChromium(at: try await terminal.beginSignIn(), Self.screen)
                    do {
                        // The name that the stand-in's page suggests.
                        try await terminal.wait(for: "Hello, Example Person.")
                    } catch {
                        await browser.end()
                        throw error
                    }
                    await browser.end()
                }
            }
        }

        /// Begins a sign-in, and leaves the app while the browser is open.
        private static func beginAndQuit(_ stage: ShellStage) async throws -> String {
            var address = ""
            try await stage.launch(store: .keyring, options: scheme, environment: noBrowser) { terminal in
                address = try await terminal.beginSignIn()
                #expect(address.contains("redirect_uri=com.goumuve.app%3A%2Fcallback"))
                try await terminal.quit()
            }
            return address
        }
    }
}
#endif
