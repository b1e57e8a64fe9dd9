// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct JSONDocumentTests {
    @Test(arguments: [
        (#"{"a":1,"b":2,"c":3}"#, "a", #"{"b":2,"c":3}"#),
        (#"{"a":1,"b":2,"c":3}"#, "b", #"{"a":1,"c":3}"#),
        (#"{"a":1,"b":2,"c":3}"#, "c", #"{"a":1,"b":2}"#),
        (#"{"a":1,"b":2,"c":3}"#, "d", #"{"a":1,"b":2,"c":3}"#),
        (#"{"a":1}"#, "a", "{}"),
        ("{}", "a", "{}"),
        ("{ \"a\" : 1 ,\n\t\"b\" : 2.50 }\r\n", "a", "{ \"b\" : 2.50 }\r\n"),
        ("{ \"a\" : 1 ,\n\t\"b\" : 2.50 }\r\n", "b", "{ \"a\" : 1 }\r\n"),
        (#"{"x":{"a":1},"a":[{"a":2}],"y":"a"}"#, "a", #"{"x":{"a":1},"y":"a"}"#),
        (#"{"\u0061":"}\",","b":"ü"}"#, "a", #"{"b":"ü"}"#),
    ])
    func `a member is removed, and the others keep their bytes`(text: String, name: String, expected: String) throws {
        let document = try #require(JSONDocument(Array(text.utf8)))
        let rest = document.removing(name)
        #expect(String(decoding: rest, as: UTF8.self) == expected)
        #expect(try #require(JSONDocument(rest))[name] == nil)
    }

    @Test func `members of every JSON type are read`() throws {
        let text = #"{"a":"x","b":[1],"c":{"d":true},"e":null,"f":-2,"\u0067":"\n"}"#
        let document = try #require(JSONDocument(Array(text.utf8)))
        #expect(document["a"] == .string("x"))
        #expect(document["b"] == .array([.integer(1)]))
        #expect(document["c"] == .object(["d": .boolean(true)]))
        #expect(document["e"] == .null)
        #expect(document["f"] == .integer(-2))
        #expect(document["g"] == .string("\n"))
        #expect(document["d"] == nil)
    }

    @Test(arguments: ["", "1", "[]", "{", "{}{}", #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"a":1,}"#])
    func `a text that is not one object with unique members is refused`(text: String) {
        #expect(JSONDocument(Array(text.utf8)) == nil)
    }

    @Test func `a document that is not UTF-8 or too deep is refused`() {
        #expect(JSONDocument(Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)) == nil)
        #expect(JSONDocument(Array(#"{"a":[[1]]}"#.utf8), maximumDepth: 3) != nil)
        #expect(JSONDocument(Array(#"{"a":[[1]]}"#.utf8), maximumDepth: 2) == nil)
    }
}
