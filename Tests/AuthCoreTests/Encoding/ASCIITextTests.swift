// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct ASCIITextTests {
    @Test(arguments: [("bearer", "Bearer"), ("", ""), ("a-Z_9", "A-z_9"), ("é", "é")])
    func `the case of ASCII letters is ignored`(left: String, right: String) {
        #expect(ASCIIText.equalIgnoringCase(left.utf8, right.utf8))
    }

    /// `String` considers the last two pairs equal.
    @Test(arguments: [("bearer", "bearer "), ("[", "{"), ("é", "É"), ("\u{E9}", "e\u{301}"), ("K", "\u{212A}")])
    func `every other difference counts`(left: String, right: String) {
        #expect(!ASCIIText.equalIgnoringCase(left.utf8, right.utf8))
    }

    @Test(arguments: [
        ("", ""), (" ", ""), (" \t\r\n", ""), ("a", "a"), (" a b\n", "a b"), ("\u{A0}a", "\u{A0}a"),
        ("a\u{301} ", "a\u{301}"),
    ])
    func `whitespace is trimmed at both ends`(text: String, trimmed: String) {
        #expect(String(decoding: ASCIIText.trimmed(Array(text.utf8)), as: UTF8.self) == trimmed)
    }
}
