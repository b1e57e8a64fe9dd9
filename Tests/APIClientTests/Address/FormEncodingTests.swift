// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import APIClient

/// [RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B).
@Suite struct FormEncodingTests {
    private static let text = " %&+\u{A3}\u{20AC}"

    @Test func `the RFC's example is decoded`() throws {
        let items = try #require(FormEncoding.decode("v=+%25%26%2B%C2%A3%E2%82%AC"))
        #expect(items.map(\.0) == ["v"])
        #expect(items.map(\.1) == [Self.text])
    }

    /// Every decoder reads %20 as a space, including those of query strings that take a plus sign literally.
    @Test func `the RFC's example is encoded with the space as an escape`() {
        #expect(FormEncoding.encode([("v", Self.text)]) == "v=%20%25%26%2B%C2%A3%E2%82%AC")
    }

    @Test func `unreserved characters are kept, and items keep their order`() {
        #expect(FormEncoding.encode([("b", "aZ09-._~"), ("a", ""), ("b", "=")]) == "b=aZ09-._~&a=&b=%3D")
        #expect(FormEncoding.encode([]).isEmpty)
    }

    @Test func `every character survives encoding and decoding`() throws {
        let text = String(String.UnicodeScalarView((0...0x2FF).compactMap { Unicode.Scalar($0) }))
        let items = try #require(FormEncoding.decode(FormEncoding.encode([(text, text)])))
        #expect(items.map(\.0) == [text])
        #expect(items.map(\.1) == [text])
    }

    @Test(
        arguments: [
            ("", []), ("a=1", ["a", "1"]), ("a", ["a", ""]), ("a=", ["a", ""]), ("=b", ["", "b"]),
            ("a=b=c", ["a", "b=c"]), ("a=1&&b=2", ["a", "1", "b", "2"]), ("%61=%62", ["a", "b"]),
            ("a=%2b", ["a", "+"]),
            ("a=1&a=2", ["a", "1", "a", "2"]),
        ] as [(String, [String])]
    )
    func `items are decoded in order, including duplicates`(text: String, expected: [String]) throws {
        let items = try #require(FormEncoding.decode(text))
        #expect(items.flatMap { [$0.0, $0.1] } == expected)
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%2g", "%=a", "a=%u0041", "a=%C3", "a=%FF%FE", "a=%C0%AE"])
    func `invalid escapes and invalid UTF-8 are refused`(text: String) {
        #expect(FormEncoding.decode(text) == nil)
    }
}
