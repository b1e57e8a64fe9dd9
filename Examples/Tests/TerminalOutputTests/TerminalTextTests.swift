// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalOutput

@Suite("External text on a terminal")
struct TerminalTextTests {
    @Test(arguments: [
        ("\u{1B}[2J", #"\u001b[2J"#), ("\u{1B}]0;title\u{7}", #"\u001b]0;title\u0007"#), ("\u{9B}31m", #"\u009b31m"#),
        ("a\u{8}b", #"a\u0008b"#), ("a\rb", #"a\u000db"#), ("\u{0}", #"\u0000"#), ("\u{7F}", #"\u007f"#),
        ("\u{202E}txt.exe", #"\u202etxt.exe"#), ("\u{2066}\u{2069}", #"\u2066\u2069"#), ("\u{200B}", #"\u200b"#),
        ("\u{2028}", #"\u2028"#), ("\u{E0001}", #"\udb40\udc01"#),
    ])
    func `characters that control a terminal are escaped`(text: String, expected: String) {
        #expect(TerminalText.escaped(Array(text.utf8)) == expected)
    }

    @Test(arguments: ["{\"a\": [1]}\n", "tab\tand\nlines\n", "Grüße, 世界 🙂", ""])
    func `plain text stays unchanged`(text: String) {
        #expect(TerminalText.escaped(Array(text.utf8)) == text)
    }

    @Test func `the line breaks of HTTP become line feeds`() {
        #expect(TerminalText.escaped(Array("a\r\nb\r\n".utf8)) == "a\nb\n")
    }

    @Test(
        arguments: [
            ([0xFF], #"\xff"#), ([0x61, 0xC3], #"a\xc3"#), ([0xC0, 0x80], #"\xc0\x80"#), ([0x80, 0x61], #"\x80a"#),
            ([0xED, 0xA0, 0x80], #"\xed\xa0\x80"#), ([0xF0, 0x9F, 0x99, 0x1B], #"\xf0\x9f\x99\u001b"#),
        ] as [([UInt8], String)]
    )
    func `bytes that are not UTF-8 are escaped`(bytes: [UInt8], expected: String) {
        #expect(TerminalText.escaped(bytes) == expected)
    }
}
