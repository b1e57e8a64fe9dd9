// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

/// Redirects, and the origins that get credentials: case 18 of the hard cases of a refresh.
@Suite struct RedirectTests {
    private static let secrets: HTTPFields = {
        var fields: HTTPFields = [.cookie: "c", .proxyAuthorization: "p"]
        for name in ["DPoP", "X-Partner-Key"] {
            if let name = HTTPField.Name(name) { fields[name] = "s" }
        }
        return fields
    }()

    /// Returns the second request, which follows a redirect of the first.
    private static func second(
        _ endpoint: Endpoint<TransportResponse>,
        _ status: Int,
        to location: String,
        policy: RedirectPolicy = .anyOrigin()
    ) async throws -> TransportRequest {
        let partnerKey = try #require(HTTPField.Name("X-Partner-Key"))
        let responses = ResponseSequence([CallFixture.redirect(status, to: location), CallFixture.ada])
        let fixture = try CallFixture(
            apiKey: "k1",
            configure: {
                $0.redirects = policy
                $0.sensitiveHeaderFields = [partnerKey]
            },
            handler: { _ in try responses.next() }
        )
        _ = try await fixture.client.send(endpoint)
        return try #require(fixture.transport.requests.last)
    }

    @Test(
        arguments: [
            (301, .get, "GET"), (302, .get, "GET"), (303, .get, "GET"), (307, .get, "GET"), (308, .get, "GET"),
            (301, .head, "HEAD"), (303, .head, "HEAD"),
            (301, .post, "GET"), (302, .post, "GET"), (303, .post, "GET"), (307, .post, "POST"), (308, .post, "POST"),
            (301, .put, "PUT"), (303, .put, "GET"), (308, .put, "PUT"), (303, .delete, "GET"), (307, .patch, "PATCH"),
        ] as [(Int, HTTPRequest.Method, String)]
    )
    func `case 18: methods and bodies follow RFC 9110`(
        status: Int,
        method: HTTPRequest.Method,
        expected: String
    ) async throws {
        let options = EndpointOptions(headers: [.contentType: "text/plain"])
        let endpoint = Endpoint.raw(method, "/a", body: .bytes(Array("body".utf8)), options: options)
        let request = try await Self.second(endpoint, status, to: "/b?c=d")
        let isReplayed = expected == method.rawValue
        #expect(request.head.method.rawValue == expected)
        #expect(request.head.path == "/b?c=d")
        #expect(request.body.bytes.map { String(decoding: $0, as: UTF8.self) } == (isReplayed ? "body" : nil))
        #expect(request.head.headerFields[.contentType] == (isReplayed ? "text/plain" : nil))
    }

    @Test(
        arguments: [
            "https://evil.example.net/", "https://api.example.com:8443/", "https://api.example.com.evil.net/",
            "https://sub.api.example.com/", "//evil.example.net/", "https://API.example.com./",
        ]
    )
    func `case 18: every credential is dropped on a change of origin`(location: String) async throws {
        let own = EndpointOptions(headers: Self.secrets)
        let request = try await Self.second(.raw(.get, "/a", options: own), 307, to: location)
        let fields = request.head.headerFields.map(\.name.canonicalName)
        #expect(fields == ["accept"])
    }

    @Test func `case 18: the caller's own Authorization is dropped on a change of origin`() async throws {
        let own = EndpointOptions(headers: [.authorization: "Bearer own"])
        let request = try await Self.second(.raw(.get, "/a", options: own), 302, to: "https://evil.example.net/")
        #expect(request.head.headerFields[.authorization] == nil)
    }

    @Test(arguments: [
        "/b", "b", "?x=y", "https://api.example.com/b", "https://API.example.com:443/b", "//api.example.com/b",
    ])
    func `case 18: credentials are kept if the origin stays the same`(location: String) async throws {
        let options = EndpointOptions(headers: Self.secrets)
        let request = try await Self.second(.raw(.get, "/a", options: options), 307, to: location)
        let names = Set(request.head.headerFields.map(\.name.canonicalName))
        #expect(
            names == ["accept", "authorization", "cookie", "dpop", "proxy-authorization", "x-api-key", "x-partner-key"]
        )
    }

    @Test func `case 18: credentials stay dropped if a redirect leads back to the origin`() async throws {
        let responses = ResponseSequence([
            CallFixture.redirect(307, to: "https://evil.example.net/"),
            CallFixture.redirect(307, to: "https://api.example.com/admin"), CallFixture.unauthorized("Bearer"),
        ])
        let fixture = try CallFixture(apiKey: "k1", configure: { $0.redirects = .anyOrigin() }) { _ in
            try responses.next()
        }
        let error = await fixture.failure()
        #expect(error?.code == .unauthorized)
        #expect(error?.attempts.map(\.kind) == [.redirect, .redirect])
        #expect(fixture.authorizations == ["Bearer t1", nil, nil])
        let field = try #require(HTTPField.Name("X-API-Key"))
        #expect(fixture.transport.requests.map { $0.head.headerFields[field] } == ["k1", nil, nil])
        #expect(fixture.refreshes == 0)
    }

    @Test(
        arguments: [
            "http://api.example.com/", "http://api.example.com:443/", "http://localhost/", "http://127.0.0.1:80/",
            "https://user@api.example.com/", "https://user:pass@evil.example.net/", "https://api.example.com@evil.net/",
            "https://", "https:///b", "https:b", "https:/b", "javascript:alert(1)", "file:///etc/passwd", "a:b",
            "/a b", "/\u{E9}", "/%zz", "/%2", "/a#b#c", "/a\\b", "//[::1", "//evil .net/", "https://evil.net:99999/",
            "//evil%2Fnet/", "/<b>", "/a[b]",
        ]
    )
    func `case 18: an unsafe redirect is refused, and nothing more is sent`(location: String) async throws {
        let fixture = try CallFixture(configure: { $0.redirects = .anyOrigin() }) { _ in
            CallFixture.redirect(302, to: location)
        }
        let error = await fixture.failure()
        #expect(error?.code == .unsafeRedirect)
        #expect(error?.status == 302)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `two locations are refused, and a missing location is not followed`() async throws {
        let two = try CallFixture { _ in
            var fields: HTTPFields = [.location: "/a"]
            fields.append(HTTPField(name: .location, value: "/b"))
            return .json("", status: 302, headers: fields)
        }
        #expect(await two.failure()?.code == .unsafeRedirect)
        let none = try CallFixture { _ in .json("", status: 302) }
        #expect(await none.failure()?.code == .redirected)
        #expect(two.transport.requests.count + none.transport.requests.count == 2)
    }

    @Test(arguments: [1, 5, 7]) func `a redirect loop ends at the maximum`(maximum: Int) async throws {
        let fixture = try CallFixture(configure: { $0.redirects = .sameOrigin(maximum: maximum) }) { _ in
            CallFixture.redirect(302, to: "/me")
        }
        let error = await fixture.failure()
        #expect(error?.code == .tooManyRedirects)
        #expect(fixture.transport.requests.count == maximum + 1)
    }

    @Test func `a redirect is followed by default only within the origin`() async throws {
        let within = try CallFixture { request in
            request.head.path == "/me" ? CallFixture.redirect(308, to: "you") : CallFixture.ada
        }
        #expect(try await within.get() == CallFixture.Person())
        #expect(within.sent.last == "GET https://api.example.com/you")
        let out = try CallFixture { _ in CallFixture.redirect(308, to: "https://api.example.net/you") }
        #expect(await out.failure()?.code == .redirected)
        #expect(out.transport.requests.count == 1)
    }

    @Test func `a redirect is returned as it is if redirects are refused`() async throws {
        let fixture = try CallFixture(configure: { $0.redirects = .refuse }) { _ in
            CallFixture.redirect(302, to: "http://evil.example.net/")
        }
        #expect(await fixture.failure()?.code == .redirected)
        let answer = try await fixture.client.send(.raw(.get, "/me"))
        #expect(answer.head.status == .found)
        #expect(fixture.transport.requests.count == 2)
    }

    @Test func `a call without authentication follows redirects only if its options say so`() async throws {
        let fixture = try CallFixture { request in
            request.head.path == "/me" ? CallFixture.redirect(307, to: "/you") : CallFixture.ada
        }
        #expect(await fixture.failure(.anonymous)?.code == .redirected)
        var options = EndpointOptions.anonymous
        options.redirects = .sameOrigin()
        #expect(try await fixture.get(options) == CallFixture.Person())
    }

    @Test(arguments: [307, 308])
    func `case 17: a 307 or 308 ends the call if the body is one-shot`(status: Int) async throws {
        let fixture = try CallFixture { _ in CallFixture.redirect(status, to: "/b") }
        let endpoint = Endpoint<CallFixture.Person>.post("/a", body: CallFixture.oneShot())
        let error = await fixture.failure(of: endpoint)
        #expect(error?.code == .bodyNotRepeatable)
        #expect(error?.status == status)
        #expect(fixture.transport.requests.count == 1)
    }
}
