// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The sign-in form")
struct SignInFormTests {
    /// Returns the form after the user has typed into it.
    private func filled(_ email: String = "ada@example.com", _ password: String = "correct horse") -> ShellModel {
        var model = ShellModel.atForm
        model.type(email)
        _ = model.handle(.key(.tab))
        model.type(password)
        return model
    }

    @Test func `the form has two fields, a check box that is on, and a button`() {
        let text = ShellModel.atForm.text()
        for part in ["E-mail address", "Password", "[x] Keep me signed in", "[ Sign in ]"] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("Apple"))
    }

    @Test func `the password is shown as dots`() {
        let text = filled().text()
        #expect(text.contains("ada@example.com"))
        #expect(text.contains(String(repeating: "•", count: 13)))
        #expect(!text.contains("horse"))
    }

    @Test func `letters that are shortcuts elsewhere are text in a field`() {
        var model = ShellModel.atForm
        model.type("qsr1 n")
        #expect(model.form.fields[0].text == "qsr1 n")
    }

    @Test func `Tab and the arrows go through the fields, the check box and the button`() {
        var model = ShellModel.atForm
        var seen: [ShellAction?] = []
        for _ in 0..<5 {
            seen.append(model.focus)
            _ = model.handle(.key(.tab))
        }
        #expect(seen == [.field(0), .field(1), .remember, .signIn, .field(0)])
        _ = model.handle(.key(.up))
        #expect(model.focus == .field(0))
        _ = model.handle(.key(.backTab))
        #expect(model.focus == .signIn)
        #expect(model.handle(.key(.character("q"))) == [.quit(0)])
    }

    @Test func `Enter goes from the address to the password, and then signs in`() {
        var model = ShellModel.atForm
        model.type("ada@example.com")
        #expect(model.handle(.key(.enter)).isEmpty)
        model.type("correct horse")
        #expect(model.handle(.key(.enter)) == [.signIn])
        #expect(model.isSigningIn)
        #expect(model.text().contains("Signing in"))
        #expect(!model.text().contains("browser"))
    }

    @Test func `the button asks for what is missing`() {
        var model = ShellModel.atForm
        _ = model.handle(.key(.backTab))
        #expect(model.handle(.key(.enter)).isEmpty)
        #expect(model.text().contains("Type your e-mail address."))
        #expect(model.focus == .field(0))
        model.type("   ")
        _ = model.handle(.key(.backTab))
        #expect(model.handle(.key(.enter)).isEmpty)
        #expect(model.focus == .field(0))
    }

    @Test func `the space bar switches the check box`() {
        var model = ShellModel.atForm
        for key in [Key.tab, .tab, .character(" ")] { _ = model.handle(.key(key)) }
        #expect(model.text().contains("[ ] Keep me signed in"))
        _ = model.handle(.key(.enter))
        #expect(model.text().contains("[x] Keep me signed in"))
    }

    @Test func `the password leaves the form as the sign-in begins, and the address stays`() throws {
        var model = filled(" ada@example.com ")
        let taken = model.form.takeCredentials()
        let credentials = try #require(taken)
        #expect(credentials.email == "ada@example.com" && credentials.password == Password("correct horse"))
        #expect(credentials.isRemembered)
        #expect(!"\(credentials)".contains("horse"))
        #expect(model.form.fields[1].text.isEmpty)
        let again = model.form.takeCredentials()
        #expect(again?.email == nil)
        _ = model.handle(.signInEnded)
        #expect(model.focus == .field(1))
        #expect(model.form.value(of: .email) == "ada@example.com")
    }

    @Test func `a password may consist of spaces, and keeps those at its ends`() {
        var model = filled("ada@example.com", "  ")
        let taken = model.form.takeCredentials()
        #expect(taken?.password == Password("  "))
    }

    @Test func `the form is empty after a sign-out`() {
        var model = filled()
        _ = model.handle(.facts(ShellFacts(state: .signedIn(ShellModel.ada, .online))))
        #expect(model.form == Form())
        _ = model.handle(.facts(ShellFacts(state: .signedOut(.userSignedOut))))
        #expect(model.form == .signIn)
    }

    /// The end of the sign-in may be known before the new state.
    @Test(arguments: [false, true])
    func `a session that is not kept is said to end with the program`(isEndFirst: Bool) {
        var model = filled()
        model.form.isRemembered = false
        _ = model.handle(.key(.enter))
        if isEndFirst { _ = model.handle(.signInEnded) }
        _ = model.handle(.facts(ShellFacts(state: .signedIn(ShellModel.ada, .online))))
        if !isEndFirst { _ = model.handle(.signInEnded) }
        _ = model.perform(.tab(2))
        #expect(model.text().contains("The session ends with this program."))
    }

    @Test func `a pasted text goes into the field, and its line ends press nothing`() {
        var model = ShellModel.atForm
        _ = model.handle(.key(.paste(true)))
        model.type("ada@example.com")
        #expect(model.handle(.key(.enter)).isEmpty)
        _ = model.handle(.key(.tab))
        _ = model.handle(.key(.paste(false)))
        #expect(model.focus == .field(0))
        #expect(model.form.fields[0].text == "ada@example.com")
    }

    @Test func `a text pasted elsewhere presses no button`() {
        var model = ShellModel.atMain
        _ = model.handle(.key(.paste(true)))
        #expect(model.handle(.key(.character("q"))).isEmpty)
        _ = model.handle(.key(.paste(false)))
        #expect(model.handle(.key(.character("q"))) == [.quit(0)])
    }

    @Test func `keys work again if the end of a pasted text is lost`() {
        var model = ShellModel.atForm
        _ = model.handle(.key(.paste(true)))
        _ = model.handle(.key(.down))
        #expect(model.focus == .field(1))
        #expect(!model.isPasting)
    }

    @Test(arguments: [(80, 24), (40, 12), (20, 10)])
    func `the caret is in the focused field and within the screen`(columns: Int, rows: Int) throws {
        var model = ShellModel.atForm
        model.type("語" + String(repeating: "x", count: 200))
        let size = ScreenSize(columns: columns, rows: rows)
        for _ in 0..<2 {
            let drawing = Layout.drawing(of: model, in: size)
            let cursor = try #require(drawing.cursor)
            #expect(cursor.column < columns && cursor.row < rows)
            #expect(drawing.action(at: cursor) == .field(0))
            _ = model.handle(.key(.home))
        }
        _ = model.handle(.key(.backTab))
        #expect(Layout.drawing(of: model, in: size).cursor == nil)
    }

    @Test func `a click chooses a field and switches the check box`() throws {
        var model = ShellModel.atForm
        let drawing = Layout.drawing(of: model, in: ScreenSize(columns: 80, rows: 24))
        for (action, expected) in [(ShellAction.field(1), ShellAction.field(1)), (.remember, .field(1))] {
            let target = try #require(drawing.targets.first { $0.action == action })
            _ = model.handle(.mouse(MouseTouch(kind: .down, position: target.position)))
            _ = model.release(MouseTouch(kind: .up, position: target.position), on: drawing)
            #expect(model.focus == expected)
        }
        #expect(model.form.isRemembered == false)
    }

    @Test func `a click that skips the onboarding shows the form at once`() throws {
        var model = ShellModel.standing(.signedOut(.noSession), brand: .business, onboarded: false)
        let drawing = Layout.drawing(of: model, in: ScreenSize(columns: 80, rows: 24))
        let target = try #require(drawing.targets.first { $0.action == .skip })
        _ = model.handle(.mouse(MouseTouch(kind: .down, position: target.position)))
        _ = model.release(MouseTouch(kind: .up, position: target.position), on: drawing)
        #expect(model.form == .signIn)
    }

    @Test func `a role that is not the app's is shown`() {
        let driver = SessionUser(id: "1", name: "Ada", role: "driver")
        var model = ShellModel.standing(.signedIn(driver, .online), brand: .business)
        _ = model.perform(.tab(2))
        #expect(model.text().contains("Your account is registered as a driver."))
        #expect(model.announced.contains("Your account is registered as a driver."))
        model = .standing(.signedIn(driver, .online), brand: .driver)
        _ = model.perform(.tab(2))
        #expect(!model.text().contains("registered"))
    }
}
