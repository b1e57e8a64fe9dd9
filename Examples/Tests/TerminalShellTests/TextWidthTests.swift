// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalShell

@Suite("The width of text")
struct TextWidthTests {
    /// Five syllables and a space; one mark is above its letter, four vowels are beside theirs.
    private let hindi = "हिन्दी नौकरी"

    @Test func `a combining mark takes no column`() {
        #expect(TextWidth.columns("e\u{301}") == 1)
        #expect(TextWidth.columns("é") == 1)
    }

    @Test func `the vowel of a Hindi syllable takes its own column`() {
        #expect(TextWidth.columns("हि") == 2)
        #expect(TextWidth.columns("न्") == 1)
        #expect(TextWidth.columns(hindi) == 11)
    }

    @Test(arguments: [
        ("日", 2), ("｡", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("🚚", 2), ("\u{2329}", 2),
    ])
    func `East Asian characters and emoji take two columns`(text: String, columns: Int) {
        #expect(TextWidth.columns(text) == columns)
    }

    @Test(arguments: [("👍🏽", 4), ("👩\u{200D}🔧", 4), ("🇮🇳", 2), ("❤\u{FE0F}", 2), ("☎", 1)])
    func `an emoji of several parts takes the columns of each part`(text: String, columns: Int) {
        #expect(TextWidth.columns(text) == columns)
    }

    @Test(arguments: 1...12)
    func `a Hindi title is cut at the margin`(limit: Int) {
        #expect(TextWidth.columns(TextWidth.cut(hindi, to: limit)) <= limit)
    }

    @Test(arguments: 3...12)
    func `a Hindi title is wrapped at the margin, between syllables`(limit: Int) {
        let lines = TextWidth.wrap(hindi, to: limit)
        #expect(lines.allSatisfy { TextWidth.columns($0) <= limit }, "\(lines)")
        #expect(lines.joined().filter { $0 != " " } == hindi.filter { $0 != " " })
    }

    @Test func `a syllable that is wider than the margin leaves no empty line before it`() {
        #expect(TextWidth.wrap("日本", to: 1) == ["日", "本"])
    }
}
