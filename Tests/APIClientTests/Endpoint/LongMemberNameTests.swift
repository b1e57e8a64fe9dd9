// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import APIClient

@Suite struct LongMemberNameTests {
    private static let accents = "a" + String(repeating: "\u{301}\u{316}", count: 400)

    @Test(arguments: [
        #"{"NAME":1}"#, #"{"a":{"NAME":1}}"#, #"[{"a":"x","NAME" : 1}]"#, #"{"a\"b":1,"NAME"  :1}"#, #""NAME":"#,
    ])
    func `a long non-ASCII name is found`(text: String) {
        #expect(JSONBody.hasLongName(Array(text.replacing("NAME", with: Self.accents).utf8)))
    }

    @Test func `a long name written with escapes is found`() {
        let name = "a" + String(repeating: #"\u0301"#, count: 400)
        #expect(JSONBody.hasLongName(Array(#"{"\#(name)":1}"#.utf8)))
    }

    /// Foundation's decoder reads these encodings too.
    @Test(arguments: [
        String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ])
    func `a text in another encoding than UTF-8 may contain a long name`(encoding: String.Encoding) throws {
        for name in ["a", Self.accents] {
            for mark in ["", "\u{FEFF}"] {
                let text = try #require("\(mark){\"\(name)\":1}".data(using: encoding))
                #expect(JSONBody.hasLongName(Array(text)))
            }
        }
    }

    @Test func `a byte order mark of UTF-8 does not count as another encoding`() {
        #expect(!JSONBody.hasLongName(Array("\u{FEFF}{\"a\":1}".utf8)))
    }

    @Test(arguments: [
        #"{"a":"NAME"}"#, #"["NAME"]"#, #"{"a":"NAME","b":1}"#, #"{"a":"\":NAME"}"#, #""NAME"#, #""NAME\"#, "",
    ])
    func `a long value does not count as a name`(text: String) {
        #expect(!JSONBody.hasLongName(Array(text.replacing("NAME", with: Self.accents).utf8)))
    }

    @Test func `a long ASCII name is not reported`() {
        #expect(!JSONBody.hasLongName(Array(#"{"\#(String(repeating: "a", count: 10_000))":1}"#.utf8)))
    }
}
