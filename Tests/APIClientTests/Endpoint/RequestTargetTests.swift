// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct RequestTargetTests {
    private static func target(
        _ path: String,
        base: String = "",
        query: [(String, String)] = []
    ) async throws -> String? {
        let transport = ScriptedTransport { _ in .json("{}") }
        let client = APIClient(baseURL: try BaseURL("https://api.example.com" + base), transport: transport)
        _ = try await client.send(.raw(.get, path, query: query))
        let request = try #require(transport.requests.first)
        #expect(request.head.scheme == "https")
        #expect(request.head.authority == "api.example.com")
        return request.head.path
    }

    @Test(arguments: [
        ("/", "", "/"), ("/me", "", "/me"), ("/me", "/v1", "/v1/me"), ("/", "/v1", "/v1/"), ("", "/v1", "/v1"),
        ("/a b", "", "/a%20b"), ("/a%20b", "", "/a%20b"), ("/\u{E9}", "", "/%C3%A9"),
        ("/a:b@c,d;e=f", "", "/a:b@c,d;e=f"),
        ("/a\r\nX: y", "", "/a%0D%0AX:%20y"), ("/a\u{0}", "", "/a%00"), ("/a\\b", "", "/a%5Cb"), ("/...", "", "/..."),
        ("/.well-known/x", "", "/.well-known/x"), ("/a//b", "", "/a//b"), ("/[a]", "", "/%5Ba%5D"),
    ])
    func `a path is joined to the base path and encoded`(path: String, base: String, expected: String) async throws {
        #expect(try await Self.target(path, base: base) == expected)
    }

    @Test(arguments: [
        "", "me", "//host", "//host/path", "///", "/a?b=c", "/a#b", "?", "/?", "/..", "/../admin", "/a/../b", "/a/..",
        "/.",
        "/a/./b", "https://evil.com/", "@evil.com", ".evil.com", ":80", "/%2e%2e/admin", "/a/.%2E/b", "/%2E", "/%2e./x",
        "/a%2F..%2fb", "/..%2Fadmin", "/a/%2e%2E%2F", "/..\\admin", "/a%5c..%5Cb", "/a/.%5C",
    ])
    func `a path that could leave the base URL is refused, and nothing is sent`(path: String) async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        let client = APIClient(baseURL: try BaseURL("https://api.example.com"), transport: transport)
        let error = await #expect(throws: APIError.self) { try await client.send(.raw(.get, path)) }
        #expect(error?.code == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a query is percent-encoded, so that a value can't end its item`() async throws {
        let query = [
            ("q", "a&b=c"), ("a b", "1+1"), ("u", "\u{20AC}"), ("e", ""), ("q", "#?/"), ("n", "\r\n"), ("k", "-._~"),
        ]
        let expected = "/x?q=a%26b%3Dc&a%20b=1%2B1&u=%E2%82%AC&e=&q=%23%3F%2F&n=%0D%0A&k=-._~"
        #expect(try await Self.target("/x", query: query) == expected)
    }
}
