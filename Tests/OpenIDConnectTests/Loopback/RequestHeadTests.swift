// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// The parser of a request's head, byte by byte.
struct RequestHeadTests {
    /// Reads a text; returns the head, nil if it is not complete, or throws the status of the refusal.
    private static func head(_ text: String, _ limits: LoopbackLimits = LoopbackLimits()) throws -> RequestHead? {
        var parser = RequestHeadParser(limits)
        for byte in text.utf8 where try parser.read(byte) { return parser.head }
        return nil
    }

    private static func status(_ text: String, _ limits: LoopbackLimits = LoopbackLimits()) -> Int? {
        do {
            _ = try head(text, limits)
            return nil
        } catch {
            return (error as? RequestHead.Refusal)?.status.code
        }
    }

    @Test func `a browser's head is read`() throws {
        let fields = "Host: \t127.0.0.1:80 \t\r\nCookie: \u{E4}\t=1\r\nX:\r\n"
        let head = try Self.head("GET /callback?a=b%20c HTTP/1.1\r\n\(fields)\r\n")
        #expect(head == RequestHead(method: "GET", target: "/callback?a=b%20c", hosts: ["127.0.0.1:80"]))
    }

    @Test func `a head is complete with its last byte, not before`() throws {
        let text = "GET / HTTP/1.0\r\nhOsT: a\r\n\r\n"
        for length in 0..<text.utf8.count {
            #expect(try Self.head(String(decoding: text.utf8.prefix(length), as: UTF8.self)) == nil)
        }
        #expect(try Self.head(text) != nil)
    }

    @Test(arguments: [
        ("Content-Length: 0", false), ("content-length: 5", true), ("Content-Length: 00", true),
        ("Content-Length:", true), ("Content-Length: 0\r\nContent-Length: 1", true), ("Transfer-Encoding: x", true),
    ])
    func `a field that announces content is noticed`(field: String, hasContent: Bool) throws {
        #expect(try Self.head("GET / HTTP/1.1\r\n\(field)\r\n\r\n")?.hasContent == hasContent)
    }

    /// Each is refused with its last character here, without waiting for the head's end (RFC 9112, 2.2, 3 and 5).
    @Test(arguments: [
        // The request line.
        "\r\n", "\n", " GET / HTTP/1.1\r\n", "GET\r\n", "GET /\r\n", "GET / \r\n",
        "GET  / HTTP/1.1\r\n", "GET / HTTP/1.1 \r\n", "GET / HTTP/1.1 x\r\n", "GET /a b HTTP/1.1\r\n", "GET\t",
        "GET / HTTP/1.1\n", "GET / HTTP/1.1\rX", "GET / HTTP/1.1\r\r", "GET / HTTQ/1.1\r\n", "GET / http/1.1\r\n",
        "get / HTTP/1.1\r\n", "Get / HTTP/1.1\r\n", "G(T / HTTP/1.1\r\n", " / HTTP/1.1\r\n", "\u{0}", "GET /\u{0}",
        "GET /\u{7F}", "GET /\u{1B}", "GET /\u{E4}", "\u{16}",
        // The target.
        "GET  HTTP/1.1\r\n", "GET callback HTTP/1.1\r\n", "GET ?code=a HTTP/1.1\r\n", "GET * HTTP/1.1\r\n",
        "GET http://127.0.0.1/callback HTTP/1.1\r\n", "GET HTTP://127.0.0.1/ HTTP/1.1\r\n",
        "GET \\callback HTTP/1.1\r\n", "GET 127.0.0.1:80 HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n",
        // The fields.
        "GET / HTTP/1.1\r\nHost: a\n", "GET / HTTP/1.1\r\nHost: a\rb", "GET / HTTP/1.1\r\nHost: a\r\r",
        "GET / HTTP/1.1\r\n Host: a\r\n", "GET / HTTP/1.1\r\nX: a\r\n b\r\n", "GET / HTTP/1.1\r\nX: a\r\n\tb: c\r\n",
        "GET / HTTP/1.1\r\nHost\r\n", "GET / HTTP/1.1\r\nHost : a\r\n", "GET / HTTP/1.1\r\nHo st: a\r\n",
        "GET / HTTP/1.1\r\n: a\r\n", "GET / HTTP/1.1\r\nHost\t: a\r\n", "GET / HTTP/1.1\r\n(Host): a\r\n",
        "GET / HTTP/1.1\r\nH\u{F6}st: a\r\n", "GET / HTTP/1.1\r\nX: a\u{0}", "GET / HTTP/1.1\r\nX: a\u{8}",
        "GET / HTTP/1.1\r\nX: a\u{B}", "GET / HTTP/1.1\r\nX: a\u{7F}", "GET / HTTP/1.1\r\n\n", "GET / HTTP/1.1\r\n\rX",
    ])
    func `a malformed head is refused at once`(text: String) {
        #expect(Self.status(text) == 400)
        #expect(Self.status(String(String.UnicodeScalarView(text.unicodeScalars.dropLast()))) == nil)
    }

    @Test(arguments: ["HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/3", "HTTP/1.10", "HTTP/1,1", "HTTP/"])
    func `another version is refused`(version: String) {
        #expect(Self.status("GET / \(version)\r\n") == 505)
    }

    @Test func `the size and the number of fields are limited`() {
        var limits = LoopbackLimits()
        (limits.headSize, limits.fieldCount) = (64, 3)
        let start = "GET / HTTP/1.1\r\n"
        #expect(Self.status(start + String(repeating: "a", count: 63 - start.utf8.count), limits) == nil)
        #expect(Self.status(start + String(repeating: "a", count: 64 - start.utf8.count), limits) == 431)
        #expect(Self.status(start + "a:\r\na:\r\na:\r\n\r\n", limits) == nil)
        #expect(Self.status(start + "a:\r\na:\r\na:\r\na:\r\n", limits) == 431)
    }

    /// The last byte that fits may be the head's last.
    @Test func `a head of exactly the permitted size is complete`() throws {
        var limits = LoopbackLimits()
        let text = "GET / HTTP/1.1\r\nX: 123456789\r\n\r\n"
        limits.headSize = text.utf8.count
        #expect(try Self.head(text, limits) != nil)
        limits.headSize -= 1
        #expect(Self.status(text, limits) == 431)
    }
}
#endif
