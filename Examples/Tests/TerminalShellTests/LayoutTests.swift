// SPDX-License-Identifier: Apache-2.0

import AuthSession
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The layout by screen size")
struct LayoutTests {
    static let sizes = [
        ScreenSize(columns: 80, rows: 24), ScreenSize(columns: 40, rows: 12), ScreenSize(columns: 20, rows: 6),
        ScreenSize(columns: 200, rows: 60),
    ]

    @Test(arguments: sizes)
    func `no text is drawn outside the screen or over other text`(size: ScreenSize) {
        let models = [
            ShellModel.atOnboarding, .atSignIn, .atMain, .atOffline, .atLocked, .atEnd, .withoutKeyring, .withoutJobs,
            .atRegistration,
            .signingIn(at: "http://127.0.0.1:1/authorize?scope=openid"),
        ]
        for model in models {
            let drawing = Layout.drawing(of: model, in: size)
            for span in drawing.spans {
                let end = span.position.column + TextWidth.columns(span.text)
                #expect((0..<size.rows).contains(span.position.row))
                #expect(end <= size.columns, "\(span)")
                for other in drawing.spans where other != span && other.position.row == span.position.row {
                    let otherEnd = other.position.column + TextWidth.columns(other.text)
                    #expect(end <= other.position.column || otherEnd <= span.position.column, "\(span) \(other)")
                }
            }
        }
    }

    @Test(arguments: sizes)
    func `every essential element is shown at every size`(size: ScreenSize) {
        let (columns, rows) = (size.columns, size.rows)
        let onboarding = ShellModel.atOnboarding.text(columns, rows)
        for word in ["Book a pickup", "● ○ ○", "Skip", "Next"] { #expect(onboarding.contains(word), "\(word)") }
        #expect(ShellModel.atSignIn.text(columns, rows).contains("Sign in with"))
        #expect(ShellModel.atLocked.text(columns, rows).contains("Try again"))
        #expect(ShellModel.atOffline.text(columns, rows).contains("Offline"))
        #expect(ShellModel.atMain.text(columns, rows).contains("Home"))
        var settings = ShellModel.atMain
        _ = settings.handle(.key(.character("3")))
        #expect(settings.text(columns, rows).contains("Sign out"))
        #expect(settings.text(columns, rows).contains("Settings"))
    }

    @Test(arguments: sizes)
    func `a sign-in error is shown below the button`(size: ScreenSize) throws {
        var model = ShellModel.atSignIn
        _ = model.handle(
            .facts(ShellFacts(state: .signedOut(.noSession), errorMessage: "Something went wrong. Try again."))
        )
        let lines = model.lines(size.columns, size.rows)
        let button = try #require(lines.firstIndex { $0.contains("Sign in with") })
        let error = try #require(lines.firstIndex { $0.contains("Something went") })
        #expect(error > button)
    }

    @Test(arguments: sizes)
    func `a click on a drawn button triggers its action`(size: ScreenSize) throws {
        let drawing = Layout.drawing(of: .atOnboarding, in: size)
        let span = try #require(drawing.spans.first { $0.text.contains("Next") })
        #expect(drawing.action(at: span.position) == .next)
    }

    @Test func `text from a server can't control the terminal and stays on its line`() {
        let name = "Ada\u{1B}[31m\n\u{202E}evil"
        let model = ShellModel.standing(.signedIn(SessionUser(id: "1", name: name), .online))
        #expect(model.facts.name == "Ada[31mevil")
    }

    @Test func `the address for the browser is shown completely`() {
        let address = "http://127.0.0.1:1/authorize?" + String(repeating: "0123456789", count: 20)
        for (columns, rows) in [(80, 24), (60, 8), (40, 10), (200, 5)] {
            let lines = ShellModel.signingIn(at: address).lines(columns, rows)
            #expect(lines.joined().contains("No browser? Open on this machine:"), "\(columns)x\(rows)")
            #expect(lines.joined().contains(address), "\(columns)x\(rows)")
            #expect(lines.joined().contains("Cancel"), "\(columns)x\(rows)")
        }
    }

    @Test(arguments: [(60, 6), (40, 8), (20, 6)])
    func `no part of an address is shown if the whole address does not fit`(columns: Int, rows: Int) {
        let address = "http://127.0.0.1:1/authorize?" + String(repeating: "0123456789", count: 40)
        let text = ShellModel.signingIn(at: address).text(columns, rows)
        #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("Make the window larger"))
        #expect(!text.contains("http"))
        #expect(text.contains("Cancel"))
    }

    @Test func `wide characters take two columns`() {
        #expect(TextWidth.columns("日本") == 4)
        #expect(TextWidth.cut("日本語", to: 5) == "日本…")
        #expect(TextWidth.wrap("ab cd efghij", to: 5) == ["ab cd", "efghi", "j"])
    }
}
