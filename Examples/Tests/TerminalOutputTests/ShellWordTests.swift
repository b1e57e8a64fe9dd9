// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalOutput

@Suite("A word of a command line")
struct ShellWordTests {
    @Test(arguments: ["native", "https://id.example.com:8443/realms/acme", "urn:mace:incommon:silver", "a+b@c,d%20"])
    func `a plain word stays unchanged`(text: String) {
        #expect(ShellWord.quoted(text) == text)
    }

    @Test(arguments: [
        ("", "''"), ("a b", "'a b'"), ("$(id)", "'$(id)'"), ("`id`", "'`id`'"), ("a;b", "'a;b'"), ("a&b|c", "'a&b|c'"),
        ("~", "'~'"), ("*?[x]", "'*?[x]'"), ("a\nb", "'a\nb'"), (#"a\b"#, #"'a\b'"#), ("a\"b", "'a\"b'"),
        ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("!x", "'!x'"), ("{a}", "'{a}'"), ("<a>", "'<a>'"), ("#a", "'#a'"),
        ("a=b", "'a=b'"), ("Grüße", "'Grüße'"),
    ])
    func `a word with another meaning to a shell is quoted`(text: String, expected: String) {
        #expect(ShellWord.quoted(text) == expected)
    }

    /// As a character, the quote and the accent are one.
    @Test func `a quote with a combining accent does not end the word`() {
        #expect(ShellWord.quoted("'\u{301};id") == "''\\''\u{301};id'")
    }
}
