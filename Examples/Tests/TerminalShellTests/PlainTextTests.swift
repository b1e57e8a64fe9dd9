// SPDX-License-Identifier: Apache-2.0

import AuthSession
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The text of the plain shell")
struct PlainTextTests {
    @Test func `choices are numbered, and the default choice is first`() {
        let model = ShellModel.atOnboarding
        let announced = PlainText(model).announcement(after: nil) { model.title(of: $0) }
        #expect(announced.first == "Page 1 of 3: Book a pickup")
        #expect(announced.suffix(3) == ["1. Next", "2. Skip", "3. Quit"])
    }

    @Test func `a number selects a choice, and invalid input gets an explanation`() {
        var model = ShellModel.atOnboarding
        #expect(model.handle(.line(" 2 ")) == [.completeOnboarding])
        #expect(model.handle(.line("7")).isEmpty)
        #expect(model.notice == "Type a number from 1 to 2, or q to quit. Enter alone reads all again.")
        #expect(model.handle(.line("q")) == [.quit(0)])
    }

    @Test func `an announcement contains only changes and reports the end of an offline period`() {
        let (online, offline) = (PlainText(.atMain), PlainText(.atOffline))
        let away = offline.announcement(after: online) { _ in "" }
        #expect(away.first?.hasPrefix("Offline since") == true)
        #expect(!away.contains("Home. Hello, Ada Lovelace."))
        #expect(online.announcement(after: offline) { _ in "" }.first == "Online again.")
        #expect(online.announcement(after: online) { _ in "" }.isEmpty)
    }

    @Test func `a buffer assembles complete lines from pieces`() {
        var buffer = LineBuffer()
        #expect(buffer.take("1\r\n2".utf8) == ["1"])
        #expect(buffer.take("3\n".utf8) == ["23"])
    }

    @Test(
        arguments: [("xterm", true, true), ("dumb", true, false), ("", true, false), ("xterm", false, false)]
    )
    func `only a terminal with cursor control is drawable`(terminal: String, isTerminal: Bool, isDrawable: Bool) {
        #expect(TerminalSurroundings(["TERM": terminal], isTerminal: isTerminal).isDrawable == isDrawable)
    }
}
