// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct EndpointTests {
    private typealias Person = CallFixture.Person

    private static let person = #"{"name":"Ada"}"#

    private static func request<Response>(of endpoint: Endpoint<Response>) async throws -> TransportRequest {
        let fixture = try CallFixture { _ in CallFixture.ada }
        _ = try await fixture.client.send(endpoint)
        return try #require(fixture.transport.requests.first)
    }

    private static func text(_ request: TransportRequest) -> String? {
        request.body.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func contentType(_ request: TransportRequest) -> String? {
        request.head.headerFields[.contentType]
    }

    @Test func `POST, PUT and PATCH send their body, with and without a JSON response`() async throws {
        let body = try RequestBody.json(Person())
        let withJSON: [Endpoint<Person>] = [
            .post("/", body: body), .put("/", body: body), .put("/", body: body).with { $0.method = .patch },
        ]
        let without: [Endpoint<Void>] = [
            .post("/", body: body), .put("/", body: body), .put("/", body: body).with { $0.method = .patch },
        ]
        let methods: [HTTPRequest.Method] = [.post, .put, .patch]
        for (index, method) in methods.enumerated() {
            for request in [try await Self.request(of: withJSON[index]), try await Self.request(of: without[index])] {
                #expect(request.head.method == method)
                #expect(Self.contentType(request) == "application/json")
                #expect(Self.text(request) == Self.person)
            }
        }
    }

    @Test func `a call without a body sends neither body nor media type`() async throws {
        let withJSON: [Endpoint<Person>] = [
            .get("/"), .post("/"), .put("/"), .delete("/"), .put("/").with { $0.method = .patch },
        ]
        let without: [Endpoint<Void>] = [.post("/"), .put("/"), .delete("/"), .put("/").with { $0.method = .patch }]
        var requests: [TransportRequest] = []
        for endpoint in withJSON { requests.append(try await Self.request(of: endpoint)) }
        for endpoint in without { requests.append(try await Self.request(of: endpoint)) }
        let methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "POST", "PUT", "DELETE", "PATCH"]
        #expect(requests.map(\.head.method.rawValue) == methods)
        #expect(requests.allSatisfy { $0.body == nil && Self.contentType($0) == nil })
    }

    @Test func `the response type is inferred from its use, and is Void in a statement`() async throws {
        let fixture = try CallFixture { _ in CallFixture.ada }
        let client = fixture.client
        let person: Person = try await client.send(.post("/me", body: .json(Person())))
        #expect(person == Person())
        try await client.send(.post("/me", body: .json(Person())))
        try await client.send(.delete("/me"))
        #expect(try await client.send(.raw(.get, "/me")).body == Array(Self.person.utf8))
        #expect(fixture.transport.requests.map(\.head.method.rawValue) == ["POST", "POST", "DELETE", "GET"])
    }

    @Test func `a response that is not decoded may be empty or not JSON`() async throws {
        for text in ["", "<p>"] {
            let fixture = try CallFixture { _ in TransportResponse.json(text) }
            try await fixture.client.send(.delete("/me"))
            #expect(await fixture.failure(of: Endpoint<Person>.delete("/me"))?.code == .malformedResponse)
        }
    }

    @Test func `a raw call also sends a body with its media type`() async throws {
        let body = RequestBody.form([("a", "b")])
        let raw = try await Self.request(of: Endpoint.raw(.post, "/", body: body))
        #expect(raw.head.method == .post)
        #expect(Self.contentType(raw) == "application/x-www-form-urlencoded")
        #expect(Self.text(raw) == "a=b")
        #expect(raw.head.headerFields[.accept] == "application/json")
    }

    @Test func `the media type follows the caller's fields and does not replace the caller's`() async throws {
        let own = try #require(HTTPField.Name("X-Own"))
        let body = try RequestBody.json(Person())
        var endpoint = Endpoint<Person>.post("/me", body: body).anonymous.with { $0.headers = [own: "1"] }
        let request = try await Self.request(of: endpoint)
        #expect(request.head.headerFields.map(\.name.canonicalName) == ["x-own", "content-type", "accept"])
        endpoint.headers[.contentType] = "application/merge-patch+json"
        let patch = try await Self.request(of: endpoint)
        #expect(patch.head.headerFields[values: .contentType] == ["application/merge-patch+json"])
    }

    @Test func `a body brings its own media type, or none`() async throws {
        let form = Endpoint<Void>.post("/me", body: .form([("a", "b")]))
        #expect(Self.contentType(try await Self.request(of: form)) == "application/x-www-form-urlencoded")
        let bytes = Endpoint<Void>.post("/me", body: RequestBody([1]))
        #expect(Self.contentType(try await Self.request(of: bytes)) == nil)
    }

    @Test func `every kind of call can use an absolute URL`() async throws {
        let fixture = try CallFixture { _ in CallFixture.ada }
        let client = fixture.client
        let next = "https://api.example.com/next?page=2"
        let _: Person = try await client.send(.get("").at(next))
        try await client.send(.put("", body: .json(Person())).at(next))
        _ = try await client.send(.raw(.post, "").at(next))
        #expect(fixture.sent == ["GET", "PUT", "POST"].map { "\($0) https://api.example.com/next?page=2" })
    }
}
