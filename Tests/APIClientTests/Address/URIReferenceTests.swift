// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import APIClient

@Suite struct URIReferenceTests {
    /// The examples of RFC 3986, 5.4.1 and 5.4.2.
    ///
    /// Expected results lack the fragment, which is never sent.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g"), ("g:h", "g:h"),
    ])
    func `a reference is resolved according to RFC 3986`(text: String, expected: String) throws {
        let base = try #require(URIReference("http://a/b/c/d;p?q"))
        let target = try #require(URIReference(text)).resolved(against: base)
        let written =
            (target.scheme.map { $0 + ":" } ?? "") + (target.authority.map { "//" + $0 } ?? "") + target.path
            + (target.query.map { "?" + $0 } ?? "")
        #expect(written == expected)
    }

    @Test(arguments: [
        " ", "a b", "\n", "/\u{E9}", "%", "%g0", "%0", "a%", "/a|b", "/a\"b", "a#b#c", "1a:b", ":a", "/[", "/?a]b", "<",
    ])
    func `a text that RFC 3986 does not allow is rejected`(text: String) {
        #expect(URIReference(text) == nil)
    }

    @Test func `a reference that is too long is rejected`() {
        #expect(URIReference(String(repeating: "../", count: 1_000_000)) == nil)
        #expect(URIReference(String(repeating: "a", count: 8_192)) != nil)
    }
}
