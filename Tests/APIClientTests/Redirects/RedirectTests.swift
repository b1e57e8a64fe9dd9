// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

/// Redirects, and the origin that gets credentials: case 18 of the hard cases of a refresh.
@Suite struct RedirectTests {
    private typealias Person = CallFixture.Person

    private static let secrets: HTTPFields = {
        var fields: HTTPFields = [.cookie: "c", .proxyAuthorization: "p"]
        for name in ["DPoP", "X-Partner-Key"] {
            if let name = HTTPField.Name(name) { fields[name] = "s" }
        }
        return fields
    }()

    private static func redirecting(_ status: Int = 307, to location: String) throws -> CallFixture {
        let responses = ResponseSequence([CallFixture.redirect(status, to: location), CallFixture.ada])
        return try CallFixture(apiKey: "k1") { _ in try responses.next() }
    }

    @Test(arguments: [301, 302, 303, 307, 308], [HTTPRequest.Method.get, .head])
    func `case 18: a redirect of GET and HEAD keeps the method`(status: Int, method: HTTPRequest.Method) async throws {
        let fixture = try Self.redirecting(status, to: "/b?c=d")
        _ = try await fixture.client.send(.raw(method, "/a"))
        let request = try #require(fixture.transport.requests.last)
        #expect(request.head.method == method)
        #expect(request.head.path == "/b?c=d")
    }

    @Test(arguments: [301, 302, 303, 307, 308], [HTTPRequest.Method.post, .put, .patch, .delete])
    func `a redirect of another method is not followed`(status: Int, method: HTTPRequest.Method) async throws {
        let fixture = try Self.redirecting(status, to: "/b")
        let response = try await fixture.client.send(.raw(method, "/a", body: RequestBody([1])))
        #expect(response.head.status.code == status)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test(arguments: [
        "/b", "b", "?x=y", "https://api.example.com/b", "https://API.example.com:443/b", "//api.example.com/b",
    ])
    func `case 18: credentials are kept if the origin stays the same`(location: String) async throws {
        let fixture = try Self.redirecting(to: location)
        _ = try await fixture.client.send(.raw(.get, "/a").with { $0.headers = Self.secrets })
        let names = Set(try #require(fixture.transport.requests.last).head.headerFields.map(\.name.canonicalName))
        #expect(fixture.transport.requests.count == 2)
        #expect(names == ["accept", "authorization", "cookie", "proxy-authorization", "x-api-key", "x-partner-key"])
    }

    @Test(
        arguments: [
            "https://evil.example.net/", "https://api.example.com:8443/", "https://api.example.com.evil.net/",
            "https://sub.api.example.com/", "//evil.example.net/", "https://API.example.com./",
            "http://api.example.com/", "http://api.example.com:443/", "http://localhost/", "http://127.0.0.1:80/",
            "https://user@api.example.com/", "https://user:pass@evil.example.net/", "https://api.example.com@evil.net/",
            "https://", "https:///b", "https:b", "https:/b", "javascript:alert(1)", "file:///etc/passwd", "a:b",
            "/a b", "/\u{E9}", "/%zz", "/%2", "/a#b#c", "/a\\b", "//[::1", "//evil .net/", "https://evil.net:99999/",
            "//evil%2Fnet/", "/<b>", "/a[b]", "/a/%2e%2e/b", "/a%2F..%2Fb", "/..%5Cb",
        ]
    )
    func `case 18: no other redirect is followed, and nothing more is sent`(location: String) async throws {
        let fixture = try CallFixture(apiKey: "k1") { _ in CallFixture.redirect(302, to: location) }
        let error = await fixture.failure()
        #expect(error?.code == .redirected)
        #expect(error?.status == 302)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `two locations are refused, and a missing location is not followed`() async throws {
        let two = try CallFixture { _ in
            var fields: HTTPFields = [.location: "/a"]
            fields.append(HTTPField(name: .location, value: "/b"))
            return .json("", status: 302, headers: fields)
        }
        #expect(await two.failure()?.code == .redirected)
        let none = try CallFixture { _ in .json("", status: 302) }
        #expect(await none.failure()?.code == .redirected)
        #expect(two.transport.requests.count + none.transport.requests.count == 2)
    }

    @Test func `a redirect loop ends`() async throws {
        let fixture = try CallFixture { _ in CallFixture.redirect(302, to: "/me") }
        #expect(await fixture.failure()?.code == .redirected)
        #expect(fixture.transport.requests.count == 6)
    }

    @Test func `a call without authentication follows no redirect`() async throws {
        let fixture = try CallFixture { _ in CallFixture.redirect(307, to: "/you") }
        #expect(await fixture.failure(of: Endpoint<Person>.get("/me").anonymous)?.code == .redirected)
        #expect(fixture.transport.requests.count == 1)
    }
}
