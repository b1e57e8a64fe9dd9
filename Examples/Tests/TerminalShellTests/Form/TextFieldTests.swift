// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@testable import TerminalShell

@Suite("A text field")
struct TextFieldTests {
    private func field(_ text: String = "") -> TextField {
        var field = TextField(.email, "E-mail address")
        for character in text { field.type(character) }
        return field
    }

    @Test func `typed characters appear before the caret`() {
        var field = field("ad@example.com")
        field.moveCaret(by: -100)
        field.moveCaret(by: 2)
        field.type("a")
        #expect(field.text == "ada@example.com")
        #expect(field.caret == 3)
    }

    @Test func `characters are deleted on both sides of the caret`() {
        var field = field("abcd")
        field.moveCaret(by: -2)
        field.deleteBackward()
        field.deleteForward()
        #expect(field.text == "ad" && field.caret == 1)
        field.moveCaret(by: 5)
        field.deleteForward()
        #expect(field.text == "ad" && field.caret == 2)
        for _ in 0..<3 { field.deleteBackward() }
        #expect(field.text.isEmpty && field.caret == 0 && field.isBlank)
    }

    @Test func `a character of several scalars is one character, however it is typed`() {
        var field = field("x")
        // As a terminal sends them: one scalar after the other.
        for scalar in "e\u{301}".unicodeScalars { field.type(Character(scalar)) }
        field.type("語")
        #expect(field.count == 3)
        field.deleteBackward()
        field.deleteBackward()
        #expect(field.text == "x")
    }

    @Test func `control characters and bidirectional controls are not typed`() {
        #expect(field("a\u{1B}[31m\u{202E}\u{0}\n\tb").text == "a[31mb")
    }

    @Test(arguments: [("a", 320), ("é", 160), ("語", 106)])
    func `the length is limited in bytes`(character: Character, count: Int) {
        let field = field(String(repeating: character, count: 500))
        #expect(field.count == count)
        #expect(field.text.utf8.count <= 320)
    }

    @Test func `a printed field shows nothing of its text`() {
        var field = TextField(.password, "Password", isSecret: true)
        field.take("correct horse")
        var dumped = ""
        dump(field, to: &dumped)
        #expect(!dumped.contains("horse") && !"\(field)".contains("horse"))
        var model = ShellModel.atForm
        _ = model.handle(.line("ada@example.com"))
        _ = model.handle(.line("correct horse"))
        dumped = ""
        dump(model, to: &dumped)
        #expect(!dumped.contains("horse"))
        #expect(field.password == Password("correct horse"))
    }
}
