// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct ScopeTests {
    @Test(
        arguments: [
            ("", []), (" ", []), ("openid", ["openid"]), ("openid email", ["openid", "email"]),
            (" openid  email ", ["openid", "email"]), ("a b a", ["a", "b"]), ("b a", ["b", "a"]), ("a A", ["a", "A"]),
        ] as [(String, [String])]
    )
    func `values are read in order and without duplicates`(text: String, values: [String]) {
        #expect(Scope(text).values == values)
    }

    /// [RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3): order does not matter.
    @Test func `scopes are equal in any order of their values`() {
        #expect(Scope("openid email") == Scope("email openid"))
        #expect(Scope("openid email").hashValue == Scope("email openid").hashValue)
        #expect(Scope("openid email") != Scope("openid"))
        #expect(Scope("openid") != Scope("OpenID"))
    }

    @Test(arguments: ["a\"b", "a\\b", "a\nb", "a\tb", "\u{E9}", "\u{0}", "\u{7F}"])
    func `a value with a character that RFC 6749, 3.3 does not allow is dropped`(value: String) {
        #expect(Scope("openid \(value) email").values == ["openid", "email"])
    }

    @Test func `a value may contain every other printable character`() {
        let allowed = (UInt8(0x21)...0x7E).filter { $0 != 0x22 && $0 != 0x5C }
        let value = String(decoding: allowed, as: UTF8.self)
        #expect(Scope(value).values == [value])
    }

    /// Compared as characters, these would take quadratic time: minutes for a megabyte.
    @Test(.timeLimit(.minutes(1)), arguments: ["\u{301}\u{316}", "\u{1F1E9}"])
    func `megabytes of accents and flags are read in linear time`(text: String) {
        let megabytes = String(repeating: text, count: 4_000_000 / text.utf8.count)
        #expect(Scope("openid a\(megabytes) email").values == ["openid", "email"])
    }

    @Test(
        arguments: [
            ("openid,profile", "openid profile"), ("openid, profile", "openid profile"), ("a;b|c+d", "a b c d"),
            ("openid%20email", "openid email"), ("openid\temail\n", "openid email"), ("a\u{A0}b", "a b"),
            ("openid  email ", nil), ("https://a.example/b.read", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `another separator than the space is found`(text: String, expected: String?) {
        #expect(Scope.respaced(text) == expected)
    }

    @Test func `a scope is described in its wire format`() {
        #expect(Scope(" openid  email openid").description == "openid email")
    }

    @Test func `a value is compared as a whole and with its case`() {
        let scope: Scope = "openid email"
        #expect(scope.contains("email"))
        #expect(!scope.contains("mail"))
        #expect(!scope.contains("Email"))
        #expect(!scope.contains("openid email"))
    }
}
