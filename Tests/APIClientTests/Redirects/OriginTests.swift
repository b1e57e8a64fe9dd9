// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

/// The origins that get credentials: case 20 of the hard cases of a refresh.
@Suite struct OriginTests {
    private typealias Person = CallFixture.Person

    @Test(
        arguments: [
            "https://evil.example.net/me", "https://api.example.com:8443/me", "https://api.example.com.evil.net/me",
            "http://localhost/me",
        ]
    )
    func `case 20: no token is sent to an origin that is not on the list`(address: String) async throws {
        let fixture = try CallFixture { _ in CallFixture.ada }
        let error = await fixture.failure(of: Endpoint<Person>.get("").at(try AbsoluteURL(address)))
        #expect(error?.code == .originNotAllowed)
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test func `case 20: an API key without a token is not sent to another origin`() async throws {
        let fixture = try CallFixture(isSignedIn: false, apiKey: "k1") { _ in CallFixture.ada }
        let elsewhere = try AbsoluteURL("https://evil.example.net/me")
        #expect(await fixture.failure(of: Endpoint<Person>.get("").at(elsewhere))?.code == .originNotAllowed)
        let _: Person = try await fixture.client.send(.get("", options: .anonymous).at(elsewhere))
        #expect(fixture.transport.requests.map { $0.head.headerFields.map(\.name.canonicalName) } == [["accept"]])
    }

    @Test(arguments: ["Authorization", "Cookie", "DPoP", "X-API-Key", "Proxy-Authorization", "X-Partner-Key"])
    func `case 20: the caller's own credential is sent only to the listed origins`(name: String) async throws {
        let field = try #require(HTTPField.Name(name))
        let partnerKey = try #require(HTTPField.Name("X-Partner-Key"))
        let fixture = try CallFixture(isSignedIn: false, configure: { $0.sensitiveHeaderFields = [partnerKey] }) { _ in
            CallFixture.ada
        }
        let options = EndpointOptions(headers: [field: "s"], requiresAuthentication: false)
        let endpoint = Endpoint<Person>.get("", options: options).at(try AbsoluteURL("https://evil.example.net/me"))
        #expect(await fixture.failure(of: endpoint)?.code == .originNotAllowed)
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test func `case 20: the token is sent to the client's own origin and the listed origins`() async throws {
        let files = try BaseURL("https://files.example.net/ignored")
        let fixture = try CallFixture(apiKey: "k1", configure: { $0.additionalOrigins = [files] }) { _ in
            CallFixture.ada
        }
        for address in ["https://api.example.com/next?page=2", "https://files.example.net:443/f"] {
            let _: Person = try await fixture.client.send(.get("").at(try AbsoluteURL(address)))
        }
        #expect(fixture.authorizations == ["Bearer t1", "Bearer t1"])
        #expect(fixture.sent == ["GET https://api.example.com/next?page=2", "GET https://files.example.net/f"])
    }

    @Test func `case 20: a redirect to a listed origin carries no credentials`() async throws {
        let files = try BaseURL("https://files.example.net")
        let fixture = try CallFixture(
            configure: {
                $0.additionalOrigins = [files]
                $0.redirects = .anyOrigin()
            },
            handler: { request in
                request.head.authority == "api.example.com"
                    ? CallFixture.redirect(302, to: "https://files.example.net/f") : CallFixture.ada
            }
        )
        #expect(try await fixture.get() == Person())
        #expect(fixture.authorizations == ["Bearer t1", nil])
    }

    @Test func `an absolute URL keeps its query and accepts more items`() async throws {
        let fixture = try CallFixture { _ in CallFixture.ada }
        let address = try AbsoluteURL("https://api.example.com?cursor=a%2Fb#part")
        let options = EndpointOptions(query: [QueryItem(name: "q", value: "&")])
        let _: Person = try await fixture.client.send(.get("", options: options).at(address))
        #expect(fixture.sent == ["GET https://api.example.com/?cursor=a%2Fb&q=%26"])
    }

    @Test(
        arguments: [
            ("", .malformed), ("/me", .malformed), ("//api.example.com/", .malformed), ("https:", .malformed),
            ("https:///me", .malformed), ("https://api.example.com/a b", .malformed),
            ("https://api.example.com/\r\nX: y", .malformed), ("https://api.example.com/%", .malformed),
            ("http://api.example.com/", .insecure), ("ftp://api.example.com/", .unsupportedScheme),
            ("https://user@api.example.com/", .unexpectedPart), ("https://a:b@api.example.com/", .unexpectedPart),
        ] as [(String, BaseURLError.Code)]
    )
    func `an invalid or unsafe absolute URL is refused`(text: String, code: BaseURLError.Code) {
        let error = #expect(throws: BaseURLError.self) { try AbsoluteURL(text) }
        #expect(error?.code == code)
    }

    @Test func `a printed absolute URL shows only its origin`() throws {
        let address = try AbsoluteURL("https://files.example.net/sk-4f1d?signature=sk-4f1d")
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", String(reflecting: address), dumped] {
            #expect(text.contains("https://files.example.net"))
            #expect(!text.contains("4f1d"))
        }
    }
}
