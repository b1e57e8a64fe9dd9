// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct JSONParserTests {
    private static func object(_ text: String) -> [String: JSONValue]? { try? JSONValue.object(in: Array(text.utf8)) }

    @Test func `members of every JSON type are read`() throws {
        let text = #"{"a":"x","b":[1],"c":{"d":true},"e":null,"f":-2,"\u0067":"\n"}"#
        let members = try #require(Self.object(text))
        #expect(members["a"] == .string("x"))
        #expect(members["b"] == .array([.integer(1)]))
        #expect(members["c"] == .object(["d": .boolean(true)]))
        #expect(members["e"] == .null)
        #expect(members["f"] == .integer(-2))
        #expect(members["g"] == .string("\n"))
        #expect(members["d"] == nil)
    }

    @Test(arguments: ["", "1", "[]", "{", "{}{}", #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"a":1,}"#])
    func `a text that is not one object with unique members is refused`(text: String) {
        #expect(Self.object(text) == nil)
    }

    @Test func `a document that is not UTF-8 or too deep is refused`() {
        let text = Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        #expect(throws: JSONError.notUTF8) { try JSONValue.object(in: text) }
        let nested = Array(#"{"a":[[1]]}"#.utf8)
        #expect(throws: Never.self) { try JSONValue.object(in: nested, maximumDepth: 3) }
        #expect(throws: JSONError.tooDeep) { try JSONValue.object(in: nested, maximumDepth: 2) }
    }

    @Test(
        arguments: [
            ("1", .integer(1)), (" null ", .null), (#""\ud83d\ude00\/""#, .string("\u{1F600}/")), ("[]", .array([])),
            ("-999999999999999999", .integer(-999_999_999_999_999_999)),
        ] as [(String, JSONValue)]
    )
    func `a text may be any value`(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(arguments: [
        #"{"a":1,"b":[true,null,1.5,"ü\n"],"c":{"d":-9223372036854775808}}"#, "{}", #"{"a":"\u0000\u2028/"}"#,
        #"{"a":18446744073709551616,"b":1e-7}"#,
    ])
    func `a written object is read with the same values`(text: String) throws {
        let members = try #require(Self.object(text))
        #expect(try JSONValue.object(in: JSONValue.text(of: members)) == members)
    }

    @Test func `members are written in the order of their names`() throws {
        let text = try JSONValue.text(of: ["b": .integer(1), "a": .string("x/y"), "c": .null])
        #expect(String(decoding: text, as: UTF8.self) == #"{"a":"x/y","b":1,"c":null}"#)
    }

    @Test func `values are compared byte for byte, and objects in any order`() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(JSONValue.string(composed) != .string(decomposed))
        #expect(JSONValue.object([composed: .null]) != .object([decomposed: .null]))
        #expect(JSONValue.array([.string(composed)]) != .array([.string(decomposed)]))
        #expect(JSONValue.integer(1) != .number(1.5) && JSONValue.null != .boolean(false))
        let (one, other) = (try #require(Self.object(#"{"a":1,"b":2}"#)), try #require(Self.object(#"{"b":2,"a":1}"#)))
        #expect(JSONValue.object(one) == .object(other))
        #expect(JSONValue.object(one).hashValue == JSONValue.object(other).hashValue)
        #expect(Set([JSONValue.string(composed), .string(decomposed), .string(composed)]).count == 2)
    }
}
