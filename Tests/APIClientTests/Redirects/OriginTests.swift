// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import HTTPTypes
import Testing

@testable import APIClient

/// The origin that gets credentials: case 20 of the hard cases of a refresh.
@Suite struct OriginTests {
    private typealias Person = CallFixture.Person

    @Test(
        arguments: [
            "https://evil.example.net/me", "https://api.example.com:8443/me", "https://api.example.com.evil.net/me",
            "http://localhost/me",
        ]
    )
    func `case 20: no token is sent to an origin that is not the client's`(address: String) async throws {
        let fixture = try CallFixture { _ in CallFixture.ada }
        let error = await fixture.failure(of: Endpoint<Person>.get("").at(address))
        #expect(error?.code == .originNotAllowed)
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test(arguments: ["Authorization", "Cookie", "DPoP", "X-API-Key", "Proxy-Authorization", "Accept"])
    func `case 20: a call without a token, with a credential of its own or none, goes to no other origin`(
        name: String
    ) async throws {
        let field = try #require(HTTPField.Name(name))
        let fixture = try CallFixture(isSignedIn: false, apiKey: "k1") { _ in CallFixture.ada }
        let endpoint = Endpoint<Person>.get("").anonymous.at("https://evil.example.net/me")
        #expect(await fixture.failure(of: endpoint.with { $0.headers = [field: "s"] })?.code == .originNotAllowed)
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test func `case 20: the token is sent to the client's own origin`() async throws {
        let fixture = try CallFixture(apiKey: "k1") { _ in CallFixture.ada }
        let _: Person = try await fixture.client.send(.get("").at("https://API.example.com:443/f?p=2"))
        #expect(fixture.authorizations == ["Bearer t1"])
        #expect(fixture.sent == ["GET https://api.example.com/f?p=2"])
    }

    @Test func `an absolute URL keeps its query and accepts more items`() async throws {
        let fixture = try CallFixture { _ in CallFixture.ada }
        let url = "https://api.example.com?cursor=a%2Fb#part"
        let _: Person = try await fixture.client.send(.get("", query: [("q", "&")]).at(url))
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
        #expect(throws: BaseURLError(code)) { try BaseURL(originOf: text) }
    }

    @Test(arguments: ["/me", "https://user@api.example.com/", "ftp://api.example.com/", "https://api.example.com/%"])
    func `a call of an invalid URL is an invalid request, and nothing is sent`(url: String) async throws {
        let fixture = try CallFixture { _ in CallFixture.ada }
        let error = await fixture.failure(of: Endpoint<Person>.get("").at(url))
        #expect(error?.code == .invalidRequest)
        #expect(error?.underlying is BaseURLError)
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test func `the origin of a URL leaves out path, query and fragment`() throws {
        let url = try BaseURL(originOf: "https://API.example.com:443/v1/jobs?page=2#end")
        #expect(url.description == "https://api.example.com")
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
