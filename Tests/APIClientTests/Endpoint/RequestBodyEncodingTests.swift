// SPDX-License-Identifier: Apache-2.0

import APIClient
import Testing

@Suite struct RequestBodyEncodingTests {
    private static func text(_ body: RequestBody) -> String? {
        body.bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a value is encoded as JSON at once`() throws {
        let value: any Encodable & Sendable = ["name": "Ada"]
        let body = try RequestBody.json(value)
        #expect(Self.text(body) == #"{"name":"Ada"}"#)
        #expect(body.contentType == "application/json")
        #expect(body.isReplayable)
        #expect(body.description == "14 bytes")
    }

    @Test func `a value that JSON can't represent is refused when the body is made`() {
        #expect(throws: EncodingError.self) { try RequestBody.json([Double.nan]) }
    }

    @Test func `a form value can't end its field`() {
        let body = RequestBody.form(["a b": "1&2=3+4", "e": "\u{20AC}", "e": ""])
        #expect(Self.text(body) == "a%20b=1%262%3D3%2B4&e=%E2%82%AC&e=")
        #expect(body.contentType == "application/x-www-form-urlencoded")
        #expect(body.isReplayable)
    }

    @Test func `a form of query items equals the form of a literal`() {
        let items = [QueryItem(name: "b", value: "aZ09-._~"), QueryItem(name: "a", value: "\r\n%")]
        let body = RequestBody.form(items)
        #expect(Self.text(body) == "b=aZ09-._~&a=%0D%0A%25")
        #expect(body.bytes == RequestBody.form(["b": "aZ09-._~", "a": "\r\n%"]).bytes)
        #expect(RequestBody.form([]).bytes == [])
    }

    @Test func `reporting progress keeps the media type, and raw bytes have no media type`() throws {
        #expect(try RequestBody.json(1).reportingProgress { _, _ in }.contentType == "application/json")
        for body in [RequestBody.none, .bytes([1]), .file("/f")] { #expect(body.contentType == nil) }
    }
}
