// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

@testable import TerminalShell

extension TerminalSuite {
    @Suite("The sign-in form in a terminal")
    struct PasswordFormTests {
        @Test func `a pasted address and password sign in, although they end with line ends`() async throws {
            try await ShellStage.run { stage in
                try await stage.addAccount()
                try await stage.launch(.business) { terminal in
                    try await terminal.showForm()
                    try await terminal.paste("\(ShellStage.accountEmail)\n")
                    try await terminal.wait(for: ShellStage.accountEmail)
                    try await terminal.press("Tab")
                    try await terminal.paste("\(ShellStage.accountPassword)\r\n")
                    try await terminal.wait(for: String(repeating: "•", count: ShellStage.accountPassword.count))
                    try await terminal.press("Enter")
                    try await terminal.wait(for: "Hello, Ada.")
                }
            }
        }

        @Test func `text that is pasted with q in it does not quit`() async throws {
            try await ShellStage.launch(.business) { _, terminal in
                try await terminal.wait(for: Brand.business.titles[0])
                try await terminal.paste("quit q\n")
                try await terminal.press("s")
                try await terminal.wait(for: TerminalSession.passwordButton)
            }
        }

        @Test(arguments: [(20, 10), (40, 12)])
        func `a small window has the form, and it works`(columns: Int, rows: Int) async throws {
            try await ShellStage.run { stage in
                try await stage.addAccount()
                let size = ScreenSize(columns: columns, rows: rows)
                try await stage.launch(.business, size: size) { terminal in
                    try await terminal.wait(for: "company")
                    try await terminal.press("s")
                    try await terminal.wait(for: "Sign in")
                    try await terminal.type(ShellStage.accountEmail)
                    try await terminal.press("Enter")
                    try await terminal.type(ShellStage.accountPassword)
                    try await terminal.wait(for: "•••••")
                    try await terminal.press("Enter")
                    try await terminal.wait(for: "Hello, Ada.")
                }
            }
        }

        @Test func `wide and joined characters keep the form in shape`() async throws {
            try await ShellStage.launch(.business) { _, terminal in
                try await terminal.showForm()
                try await terminal.type("語e\u{301}x")
                try await terminal.wait(for: "語e\u{301}x____")
                try await terminal.press("Left", "BSpace", "BSpace")
                try await terminal.wait(for: " x_____")
                try await terminal.press("End")
                try await terminal.type("y")
                try await terminal.wait(for: " xy____")
            }
        }

        @Test func `the plain mode hides the password, and the terminal is as before after each way to end`()
            async throws
        {
            let endings: [(keys: [String], code: String)] = [(["C-c"], "130"), (["C-d"], "0")]
            for ending in endings {
                try await ShellStage.launchBash(of: .business) { _, terminal, app in
                    try await terminal.answer("\(app) --plain")
                    try await terminal.passOnboarding()
                    try await terminal.answer("ada@example.com")
                    try await terminal.wait(for: "It is not shown.")
                    try await terminal.type("secret words")
                    if ending.keys == ["C-d"] { try await terminal.press("Enter", "Enter") }
                    for key in ending.keys { try await terminal.press(key) }
                    try await terminal.wait(for: "bash-", below: "It is not shown.")
                    try await terminal.answer("echo code $?; stty -a | grep -o -w -e '-*echo'")
                    try await terminal.wait(for: "code \(ending.code) echo", below: "-*echo'")
                    #expect(try await !terminal.screen().contains("secret"))
                }
            }
        }

        @Test func `the plain mode signs in, and never shows the password`() async throws {
            try await ShellStage.run { stage in
                try await stage.addAccount()
                let size = ScreenSize(columns: 100, rows: 60)
                try await stage.launch(.business, options: "--plain", size: size) { terminal in
                    try await terminal.passOnboarding()
                    try await terminal.answer(ShellStage.accountEmail)
                    try await terminal.wait(for: "It is not shown.")
                    try await terminal.answer("wrong horse")
                    try await terminal.wait(for: "Keep you signed in?")
                    try await terminal.answer("no")
                    try await terminal.wait(for: "Error: The e-mail address or the password is wrong.")
                    try await terminal.wait(for: "It is not shown.", below: "password is wrong.")
                    try await terminal.answer(ShellStage.accountPassword)
                    try await terminal.wait(for: "Keep you signed in?", below: "password is wrong.")
                    try await terminal.answer("")
                    try await terminal.wait(for: "Hello, Ada.")
                    #expect(try await !terminal.screen().contains("horse"))
                }
            }
        }

        @Test(.enabled(if: Executable.find("bash") != nil, "needs bash"))
        func `the echo is on while the plain mode is stopped at the password, and off again after it continues`()
            async throws
        {
            try await ShellStage.launchBash(of: .business) { _, terminal, app in
                try await terminal.answer("\(app) --plain")
                try await terminal.passOnboarding()
                try await terminal.answer("ada@example.com")
                try await terminal.wait(for: "It is not shown.")
                try await terminal.press("C-z")
                try await terminal.wait(for: "Stopped")
                try await terminal.answer("fg")
                try await terminal.wait(for: "It is not shown.", below: "Stopped")
                try await terminal.answer("secret words")
                try await terminal.wait(for: "Keep you signed in?")
                #expect(try await !terminal.screen().contains("secret"))
            }
        }
    }
}

extension TerminalSession {
    /// Goes from the first launch to the first prompt, in the plain mode.
    fileprivate func passOnboarding() async throws {
        try await wait(for: "2. Skip")
        try await answer("2")
        try await wait(for: "Type your e-mail address")
    }
}
