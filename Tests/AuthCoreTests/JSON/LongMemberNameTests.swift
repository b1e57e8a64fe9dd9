import AuthCore
import Testing

@Suite struct LongMemberNameTests {
    private static let accents = "a" + String(repeating: "\u{301}\u{316}", count: 400)

    @Test(arguments: [
        #"{"NAME":1}"#, #"{"a":{"NAME":1}}"#, #"[{"a":"x","NAME" : 1}]"#, #"{"a\"b":1,"NAME"  :1}"#, #""NAME":"#,
    ])
    func `a long name beyond ASCII is found`(text: String) {
        #expect(LongMemberName.isIn(Array(text.replacing("NAME", with: Self.accents).utf8)))
    }

    @Test func `a long name written with escapes is found`() {
        let name = "a" + String(repeating: #"\u0301"#, count: 400)
        #expect(LongMemberName.isIn(Array(#"{"\#(name)":1}"#.utf8)))
    }

    @Test(arguments: [
        #"{"a":"NAME"}"#, #"["NAME"]"#, #"{"a":"NAME","b":1}"#, #"{"a":"\":NAME"}"#, #""NAME"#, #""NAME\"#, "",
    ])
    func `a long value is no name`(text: String) {
        #expect(!LongMemberName.isIn(Array(text.replacing("NAME", with: Self.accents).utf8)))
    }

    @Test func `a long name of ASCII takes a dictionary no time`() {
        #expect(!LongMemberName.isIn(Array(#"{"\#(String(repeating: "a", count: 10_000))":1}"#.utf8)))
    }
}
