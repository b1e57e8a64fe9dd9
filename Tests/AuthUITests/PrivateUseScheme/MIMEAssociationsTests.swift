// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Testing

@testable import AuthUI

@Suite struct MIMEAssociationsTests {
    private static let type = "x-scheme-handler/com.example.recipe"
    private static let entry = "com.example.recipe.callback.desktop"
    private static let line = "\(type)=\(entry)"

    private func set(_ text: String) -> String {
        var associations = MIMEAssociations(Array(text.utf8))
        associations.setDefault(Self.entry, for: Self.type)
        return String(decoding: associations.bytes, as: UTF8.self)
    }

    private func removed(_ text: String) -> String {
        var associations = MIMEAssociations(Array(text.utf8))
        associations.removeDefault(Self.entry, for: Self.type)
        return String(decoding: associations.bytes, as: UTF8.self)
    }

    @Test func `an empty file gets the group and the line`() {
        #expect(set("") == "[Default Applications]\n\(Self.line)\n")
    }

    @Test func `other lines, groups and comments stay`() {
        let start = "# mine\n[Added Associations]\ntext/html=a.desktop;\n\n[Default Applications]\n"
        let before = start + "text/html=b.desktop\n"
        let after = set(before)
        #expect(after == start + "\(Self.line)\ntext/html=b.desktop\n")
        #expect(set(after) == after)
        #expect(removed(after) == before)
    }

    @Test func `the line of the same type is replaced, and its repetitions are removed`() {
        let other = "\(Self.type)=other.desktop"
        let before = "[Default Applications]\n\(other)\ntext/html=b.desktop\n\(other)"
        #expect(set(before) == "[Default Applications]\n\(Self.line)\ntext/html=b.desktop\n")
    }

    @Test(arguments: [("", " ="), ("", "\t= "), (" ", " = ")])
    func `blanks around the type and the program don't hide a line`(indentation: String, sign: String) {
        let start = indentation + Self.type + sign
        let before = "[Default Applications]\n\(Self.line)\n\(start)other.desktop\n"
        #expect(set(before) == "[Default Applications]\n\(Self.line)\n")
        #expect(removed("[Default Applications]\n\(start)\(Self.entry)\n") == "[Default Applications]\n")
    }

    @Test func `the same type in another group and a longer type stay`() {
        let start = "[Added Associations]\n\(Self.type)=other.desktop;\n[Default Applications]\n"
        let longer = "\(Self.type).x=y.desktop\n"
        #expect(removed(start + longer) == start + longer)
        #expect(set(start + longer) == start + Self.line + "\n" + longer)
    }

    @Test func `another program stays the default`() {
        let before = "[Default Applications]\n\(Self.type)=other.desktop\n"
        #expect(removed(before) == before)
    }

    @Test func `bytes that are not UTF-8 stay`() {
        var associations = MIMEAssociations([0xFF, 0x0A])
        associations.setDefault(Self.entry, for: Self.type)
        #expect(associations.bytes.starts(with: [0xFF, 0x0A]))
    }
}
#endif
