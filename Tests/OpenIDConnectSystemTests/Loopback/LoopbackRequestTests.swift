// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Testing

@testable import OpenIDConnect

/// Requests that are no callback get the response that HTTP prescribes, and the wait goes on.
///
/// Each test ends with the right callback, which must still be accepted.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackRequestTests {
    /// RFC 9110, 9.3.2: the server MUST NOT send content in the response to HEAD.
    @Test func `a HEAD is refused without a body and is not a callback`() async throws {
        let answer = try await Loopback.rawResponse(
            toForeign: "HEAD /callback?code=c&state=STATE HTTP/1.1\r\nHost: HOST\r\n\r\n"
        )
        #expect(answer.status == 405)
        #expect(answer.body.isEmpty)
    }

    @Test(arguments: ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"])
    func `another method is refused with the allowed method`(method: String) async throws {
        let answer = try await Loopback.rawResponse(
            toForeign: "\(method) /callback?code=c&state=STATE HTTP/1.1\r\nHost: HOST\r\n\r\n"
        )
        #expect(answer.status == 405)
        #expect(answer.fields["allow"] == "GET")
    }

    @Test func `a proxy's CONNECT is not allowed`() async throws {
        let answer = try await Loopback.rawResponse(
            toForeign: "CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\n\r\n"
        )
        #expect(answer.status == 405)
    }

    @Test func `a posted form is refused`() async throws {
        let form = "code=c&state=STATE"
        let answer = try await Loopback.rawResponse(
            toForeign: "POST /callback HTTP/1.1\r\nHost: HOST\r\nContent-Length: \(form.count)\r\n\r\n\(form)"
        )
        #expect(answer.status == 405)
    }

    /// A web page may send a preflight request: it gets no permission.
    @Test func `a CORS preflight gets no permission`() async throws {
        let answer = try await Loopback.rawResponse(
            toForeign: """
                OPTIONS /callback HTTP/1.1\r\nHost: HOST\r\nOrigin: https://evil.example\r\n\
                Access-Control-Request-Method: GET\r\nAccess-Control-Request-Private-Network: true\r\n\r\n
                """
        )
        #expect(answer.status == 405)
        #expect(answer.fields.keys.allSatisfy { !$0.hasPrefix("access-control-") })
    }

    @Test func `a favicon is not found and has no page`() async throws {
        let answer = try await Loopback.rawResponse(toForeign: "GET /favicon.ico HTTP/1.1\r\nHost: HOST\r\n\r\n")
        #expect(answer.status == 404)
        #expect(answer.body.isEmpty)
    }

    /// RFC 8252, 8.4: the path is part of the registered redirect URI, and compared exactly.
    @Test(arguments: [
        "/", "/callback/", "/callback/x", "/Callback", "//callback", "/callbac%6B", "/x/../callback", "/./callback",
        "/callback;x", "/callback#",
    ])
    func `another path is not found`(path: String) async throws {
        let answer = try await Loopback.rawResponse(
            toForeign: "GET \(path)?code=c&state=STATE HTTP/1.1\r\nHost: HOST\r\n\r\n"
        )
        #expect(answer.status == 404)
        #expect(answer.body.contains("Nothing here"))
    }

    /// Clients send such targets only to a proxy.
    @Test(arguments: ["http://HOST/callback?code=c&state=STATE", "HTTP://HOST/callback?code=c&state=STATE", "*"])
    func `a request target that is not a path is refused`(target: String) async throws {
        #expect(try await Loopback.rawResponse(toForeign: "GET \(target) HTTP/1.1\r\nHost: HOST\r\n\r\n").status == 400)
    }

    /// A name that an attacker points at 127.0.0.1 would put the page into the attacker's origin (DNS rebinding).
    @Test(arguments: [
        "evil.example", "localhost", "localhost:1", "127.0.0.1", "127.0.0.1:1", "[::1]:1", "HOST.evil.example",
        "HOST,HOST", "evil@HOST", "0x7f.1", "",
    ])
    func `another host is misdirected`(host: String) async throws {
        let answer = try await Loopback.rawResponse(
            toForeign: "GET /callback?code=c&state=STATE HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        )
        #expect(answer.status == 421)
    }

    /// RFC 9112, 3.2: a server MUST respond with 400 to these.
    @Test(arguments: ["", "Host: HOST\r\nHost: HOST\r\n", "Host: HOST\r\nhost: evil.example\r\n"])
    func `a request with no host or two hosts is refused`(fields: String) async throws {
        let answer = try await Loopback.rawResponse(
            toForeign: "GET /callback?code=c&state=STATE HTTP/1.1\r\n\(fields)\r\n"
        )
        #expect(answer.status == 400)
    }

    @Test func `the host localhost is accepted in any letter case if the app chose it`() async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(host: .localhost))
        let response = try await loopback.listener.response(to: loopback.request) { _ in
            try await loopback.rawResponse(
                to: "GET /callback?code=c&state=\(loopback.state) HTTP/1.1\r\nHOST: LocalHost:\(loopback.port)\r\n\r\n"
            )
        }
        #expect(response.code == "c")
    }

    @Test func `the address is misdirected if the app chose localhost`() async throws {
        let loopback = try await Loopback.start(LoopbackRedirect(host: .localhost))
        try await loopback.response {
            let answer = try await loopback.rawResponse(
                to: "GET /callback?code=c&state=\(loopback.state) HTTP/1.1\r\nHost: 127.0.0.1:\(loopback.port)\r\n\r\n"
            )
            #expect(answer.status == 421)
        }
    }

    @Test(arguments: [
        "Content-Length: 5\r\n\r\nabcde", "Content-Length: 5\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Content-Length: 99999999999999\r\n\r\n",
    ])
    func `a GET with a body is refused without waiting for the body`(rest: String) async throws {
        let answer = try await Loopback.rawResponse(
            toForeign: "GET /callback?code=c&state=STATE HTTP/1.1\r\nHost: HOST\r\n\(rest)"
        )
        #expect(answer.status == 400)
    }

    /// The last client is still sending when it is refused, and must be able to read the response all the same.
    @Test(arguments: [
        ("GET /callback?code=c&state=STATE&x=", "a", 40_000),
        ("GET /callback HTTP/1.1\r\nHost: HOST\r\nX: ", "a", 40_000),
        ("GET /callback HTTP/1.1\r\nHost: HOST\r\n", "X: \(String(repeating: "a", count: 9_000))\r\n", 9),
        ("GET /callback HTTP/1.1\r\nHost: HOST\r\n", "X: a\r\n", 101), ("GET /", "a", 70_000),
    ])
    func `a head that is too long is refused`(start: String, more: String, times: Int) async throws {
        let text = start + String(repeating: more, count: times)
        #expect(try await Loopback.rawResponse(toForeign: text).status == 431)
    }

    /// Other programs at this address may have set them, because cookies don't differ by port.
    ///
    /// A browser sends up to 180 cookies of 4 KiB, and must be able to read the page. The sign-in then goes on.
    @Test(arguments: [17_000, 740_000])
    func `the page for a head that is too long names cookies`(size: Int) async throws {
        let cookies = "Cookie: \(String(repeating: "a", count: size))\r\n\r\n"
        let answer = try await Loopback.rawResponse(toForeign: "GET /callback HTTP/1.1\r\nHost: HOST\r\n\(cookies)")
        #expect(answer.status == 431)
        #expect(answer.body.contains("cookies of 127.0.0.1"))
        #expect(answer.body.contains("</html>"))
        let head = try await Loopback.rawResponse(toForeign: "HEAD /callback HTTP/1.1\r\nHost: HOST\r\n\(cookies)")
        #expect(head.status == 431)
        #expect(head.body.isEmpty)
    }

    @Test(arguments: [
        ("no HTTP at all\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}", 400),
        ("get /callback HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
        ("GET callback HTTP/1.1\r\nHost: HOST\r\n\r\n", 400), ("GET /callback HTTP/1.1\r\nHost HOST\r\n\r\n", 400),
        ("GET /callback HTTP/1.1\r\nHost: HOST\r\nX: a\u{0}b\r\n\r\n", 400),
        ("GET /callback HTTP/1.1\r\nHost : HOST\r\n\r\n", 400), ("GET /callback HTTP/3.0\r\nHost: HOST\r\n\r\n", 505),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    ])
    func `malformed HTTP is refused`(text: String, status: Int) async throws {
        #expect(try await Loopback.rawResponse(toForeign: text).status == status)
    }

    /// Every response has these fields, since the requested URL may hold a code.
    @Test(arguments: [
        "GET /callback HTTP/1.1\r\nHost: HOST\r\n\r\n", "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: HOST\r\n\r\n", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "broken\r\n\r\n",
    ])
    func `no response can be cached, framed, scripted, sniffed or sent as a referrer`(text: String) async throws {
        let fields = try await Loopback.rawResponse(toForeign: text).fields
        #expect(fields["cache-control"] == "no-store")
        #expect(fields["referrer-policy"] == "no-referrer")
        #expect(fields["x-content-type-options"] == "nosniff")
        #expect(fields["cross-origin-opener-policy"] == "same-origin")
        #expect(fields["cross-origin-resource-policy"] == "same-origin")
        #expect(fields["connection"] == "close")
        let policy = try #require(fields["content-security-policy"])
        for part in ["default-src", "base-uri", "form-action", "frame-ancestors"] {
            #expect(policy.contains("\(part) 'none'"))
        }
        #expect(!policy.contains("unsafe"))
    }
}
#endif
