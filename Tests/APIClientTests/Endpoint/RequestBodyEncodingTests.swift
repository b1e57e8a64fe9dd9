// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import APIClient

@Suite struct RequestBodyEncodingTests {
    private static func text(_ body: RequestBody) -> String { String(decoding: body.bytes, as: UTF8.self) }

    @Test func `a value is encoded as JSON at once`() throws {
        let value: any Encodable & Sendable = ["name": "Ada"]
        let body = try RequestBody.json(value)
        #expect(Self.text(body) == #"{"name":"Ada"}"#)
        #expect(body.contentType == "application/json")
    }

    @Test func `a value that JSON can't represent is refused when the body is made`() {
        #expect(throws: EncodingError.self) { try RequestBody.json([Double.nan]) }
    }

    @Test func `a form value can't end its field`() {
        let body = RequestBody.form([("a b", "1&2=3+4"), ("e", "\u{20AC}"), ("e", "")])
        #expect(Self.text(body) == "a%20b=1%262%3D3%2B4&e=%E2%82%AC&e=")
        #expect(body.contentType == "application/x-www-form-urlencoded")
    }

    @Test func `unreserved characters are kept, and raw bytes have no media type`() {
        let body = RequestBody.form([("b", "aZ09-._~"), ("a", "\r\n%")])
        #expect(Self.text(body) == "b=aZ09-._~&a=%0D%0A%25")
        #expect(RequestBody.form([]).bytes == [])
        #expect(RequestBody([1]).contentType == nil)
    }
}
