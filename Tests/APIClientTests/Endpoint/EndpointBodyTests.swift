import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct EndpointBodyTests {
    private typealias Person = CallFixture.Person

    private static func request<Response>(of endpoint: Endpoint<Response>) async throws -> TransportRequest {
        let fixture = try CallFixture { _ in CallFixture.ada }
        _ = try await fixture.client.send(endpoint)
        return try #require(fixture.transport.requests.first)
    }

    private static func text(_ request: TransportRequest) -> String? {
        request.body.bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a form is sent as a form, so that no value ends its field`() async throws {
        let fields = [QueryItem(name: "a b", value: "1&2=3+4"), QueryItem(name: "e", value: "\u{20AC}")]
        let request = try await Self.request(of: Endpoint<Person>.post("/form", form: fields))
        #expect(request.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(Self.text(request) == "a%20b=1%262%3D3%2B4&e=%E2%82%AC")
    }

    @Test func `PATCH sends JSON, with and without an answer to read`() async throws {
        let with = try await Self.request(of: Endpoint<Person>.patch("/me", json: Person()))
        let without = try await Self.request(of: Endpoint<Void>.patch("/me", json: Person()))
        for request in [with, without] {
            #expect(request.head.method == .patch)
            #expect(request.head.headerFields[.contentType] == "application/json")
            #expect(Self.text(request) == #"{"name":"Ada"}"#)
        }
    }

    @Test func `PUT and DELETE need no answer to read`() async throws {
        let put = try await Self.request(of: Endpoint<Void>.put("/me", json: Person()))
        #expect(put.head.method == .put)
        #expect(Self.text(put) == #"{"name":"Ada"}"#)
        let delete = try await Self.request(of: Endpoint<Void>.delete("/me"))
        #expect(delete.head.method == .delete)
        #expect(delete.body.isNone)
    }

    @Test func `a body of any kind reaches the transport as it is`() async throws {
        let options = EndpointOptions(headers: [.contentType: "image/png"])
        let body = RequestBody.restartable(length: 3) { AsyncStream<[UInt8]> { $0.finish() } }
        let request = try await Self.request(of: Endpoint<Person>.put("/picture", body: body, options: options))
        #expect(request.head.headerFields[.contentType] == "image/png")
        #expect(request.body.length == 3)
        #expect(request.body.canBeSentAgain)
        let void = try await Self.request(of: Endpoint<Void>.put("/picture", body: body, options: options))
        #expect(void.body.length == 3)
    }
}
