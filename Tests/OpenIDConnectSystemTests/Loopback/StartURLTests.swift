// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AuthCore
import Testing

@testable import OpenIDConnect

/// The URL that a browser is started with, in place of one that holds a secret.
@Suite(.timeLimit(.minutes(1)))
struct StartURLTests {
    private static let url = "https://provider.example/logout?id_token_hint=e30.e30.c2ln&state=s"

    /// Returns the path of a listener's start URL.
    private static func path(_ startURL: String, _ loopback: Loopback) throws -> String {
        let origin = "http://\(loopback.authority)"
        try #require(startURL.hasPrefix(origin + "/"))
        return String(startURL.dropFirst(origin.count))
    }

    @Test func `the browser is redirected`() async throws {
        let loopback = try await Loopback.start()
        let path = try Self.path(loopback.listener.startURL(redirectingTo: Self.url), loopback)
        let answer = try await loopback.rawResponse(to: loopback.get(path))
        #expect(answer.status == 302)
        #expect(answer.fields["location"] == Self.url)
        #expect(answer.fields["cache-control"] == "no-store")
        #expect(answer.fields["referrer-policy"] == "no-referrer")
        #expect(answer.body.isEmpty)
    }

    @Test func `the start URL is random and does not reveal its target`() async throws {
        let loopback = try await Loopback.start()
        let paths = try (0..<100).map { _ in
            try Self.path(loopback.listener.startURL(redirectingTo: Self.url), loopback)
        }
        #expect(Set(paths).count == 100)
        for path in paths { #expect(Base64URL.decode(path.dropFirst().utf8)?.count == 16) }
    }

    @Test func `the start URL redirects only once`() async throws {
        let loopback = try await Loopback.start()
        let path = try Self.path(loopback.listener.startURL(redirectingTo: Self.url), loopback)
        try await loopback.rawResponse(to: loopback.get(path))
        let second = try await loopback.rawResponse(to: loopback.get(path))
        #expect(second.status == 404)
        #expect(second.fields["location"] == nil)
    }

    @Test(arguments: ["HEAD PATH", "POST PATH", "OPTIONS PATH", "GET PATH?", "GET PATHx", "GET http://HOST/PATH"])
    func `a request other than a plain GET neither gets nor consumes the redirect`(line: String) async throws {
        let loopback = try await Loopback.start()
        let path = try Self.path(loopback.listener.startURL(redirectingTo: Self.url), loopback)
        let line = line.replacing("PATH", with: path).replacing("HOST", with: loopback.authority)
        #expect(try await loopback.rawResponse(to: loopback.head(line)).fields["location"] == nil)
        #expect(try await loopback.rawResponse(to: loopback.get(path)).status == 302)
    }

    /// A page whose host name points here could read the target URL.
    @Test func `a request for another host is not redirected`() async throws {
        let loopback = try await Loopback.start()
        let path = try Self.path(loopback.listener.startURL(redirectingTo: Self.url), loopback)
        let answer = try await loopback.rawResponse(
            to: "GET \(path) HTTP/1.1\r\nHost: evil.example:\(loopback.port)\r\n\r\n"
        )
        #expect(answer.status == 421)
        #expect(try await loopback.rawResponse(to: loopback.get(path)).status == 302)
    }

    @Test func `a line break in the URL can't add a header field`() async throws {
        let loopback = try await Loopback.start()
        let url = "https://provider.example/?a=b\r\nSet-Cookie: a=b\r\n\r\n<p>ä\u{0}"
        let path = try Self.path(loopback.listener.startURL(redirectingTo: url), loopback)
        let answer = try await loopback.rawResponse(to: loopback.get(path))
        #expect(
            answer.fields["location"]
                == "https://provider.example/?a=b%0D%0ASet-Cookie:%20a=b%0D%0A%0D%0A<p>%C3%A4%00"
        )
        #expect(answer.fields["set-cookie"] == nil)
        #expect(answer.body.isEmpty)
    }

    @Test func `the start URL and the callback share one listener`() async throws {
        let loopback = try await Loopback.start()
        let startURL = loopback.listener.startURL(redirectingTo: Self.url)
        let state: String = try await loopback.listener.callback(for: .signOut) {
            let path = try Self.path(startURL, loopback)
            #expect(try await loopback.rawResponse(to: loopback.get(path)).status == 302)
            #expect(try await loopback.rawResponse(to: loopback.get("/callback?state=s")).status == 200)
        } _: { query in
            query == "state=s" ? .success(query) : nil
        }
        #expect(state == "state=s")
    }
}
#endif
