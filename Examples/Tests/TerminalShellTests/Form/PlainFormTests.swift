// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The sign-in form, line by line")
struct PlainFormTests {
    private static let addressPrompt = "Type your e-mail address, then Enter. q quits."
    private static let passwordPrompt = "Type your password, then Enter. It is not shown. Enter alone goes back."
    private static let choicePrompt = "Keep you signed in? Type yes or no, then Enter. Enter alone means yes."

    @Test func `each value is asked for in turn`() throws {
        var model = ShellModel.atForm
        #expect(model.announced == ["Umuve Business: sign in", Self.addressPrompt])
        #expect(!model.isTypingSecret)
        #expect(model.handle(.line("ada@example.com")).isEmpty)
        #expect(model.announced.last == Self.passwordPrompt)
        #expect(model.isTypingSecret)
        #expect(model.handle(.line("correct horse")).isEmpty)
        #expect(model.announced.last == Self.choicePrompt)
        #expect(!model.isTypingSecret)
        #expect(model.handle(.line("")) == [.signIn])
        #expect(!model.isTypingSecret)
        #expect(model.announced.suffix(2) == ["1. Cancel", "2. Quit"])
        let taken = model.form.takeCredentials()
        let credentials = try #require(taken)
        #expect(credentials.email == "ada@example.com" && credentials.password == Password("correct horse"))
        #expect(credentials.isRemembered)
    }

    @Test(arguments: [("no", false), (" N ", false), ("yes", true), ("Y", true)])
    func `the answer decides whether the session is kept`(answer: String, isRemembered: Bool) {
        var model = ShellModel.atForm
        for line in ["ada@example.com", "correct horse"] { _ = model.handle(.line(line)) }
        #expect(model.handle(.line("perhaps")) == [.redraw])
        #expect(model.handle(.line(answer)) == [.signIn])
        let taken = model.form.takeCredentials()
        #expect(taken?.isRemembered == isRemembered)
    }

    @Test(arguments: ["q", "quit", "1", "2", " "]) func `anything may be a password`(password: String) {
        var model = ShellModel.atForm
        _ = model.handle(.line("ada@example.com"))
        #expect(model.handle(.line(password)).isEmpty)
        #expect(model.handle(.line("yes")) == [.signIn])
        let taken = model.form.takeCredentials()
        #expect(taken?.password == Password(password))
    }

    @Test func `q quits at the address and at the question`() {
        var model = ShellModel.atForm
        #expect(model.handle(.line("q")) == [.quit(0)])
        for line in ["ada@example.com", "correct horse"] { _ = model.handle(.line(line)) }
        #expect(model.handle(.line("quit")) == [.quit(0)])
    }

    @Test func `after a refusal the password is asked for again, and Enter alone goes back to the address`() {
        var model = ShellModel.atForm
        for line in ["ada@example.com", "wrong", "yes"] { _ = model.handle(.line(line)) }
        _ = model.form.takeCredentials()
        _ = model.handle(.facts(ShellFacts(state: .signedOut(.noSession), errorMessage: "It is wrong.")))
        _ = model.handle(.signInEnded)
        #expect(model.announced.suffix(2) == ["Error: It is wrong.", Self.passwordPrompt])
        _ = model.handle(.line(""))
        let kept = "Type your e-mail address, then Enter; Enter alone keeps ada@example.com. q quits."
        #expect(model.announced.last == kept)
        _ = model.handle(.line(""))
        #expect(model.announced.last == Self.passwordPrompt)
        #expect(model.form.value(of: .email) == "ada@example.com")
    }

    @Test func `an empty address reads all again`() {
        var model = ShellModel.atForm
        #expect(model.handle(.line("  ")) == [.redraw])
        #expect(model.announced.last == Self.addressPrompt)
    }
}
