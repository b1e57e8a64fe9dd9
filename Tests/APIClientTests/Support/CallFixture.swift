// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

/// A client at `https://api.example.com` with a scripted server and a clock that a test controls.
struct CallFixture {
    struct Person: Codable, Equatable {
        var name = "Ada"
    }

    let transport: ScriptedTransport
    let source: TokenSourceDouble?
    let clock: ManualClock
    let client: APIClient

    /// Creates a client signed in with `t1`, which a refresh replaces with `t2`.
    ///
    /// Random pauses are as long as possible.
    init(
        source: TokenSourceDouble? = nil,
        isSignedIn: Bool = true,
        apiKey: String? = nil,
        clock: ManualClock = ManualClock(),
        configure: (inout APIClient.Configuration) throws -> Void = { _ in },
        handler: @escaping ScriptedTransport.Handler
    ) throws {
        let source = try isSignedIn ? source ?? TokenSourceDouble(current: "t1", afterRefresh: "t2") : nil
        var configuration = APIClient.Configuration()
        configuration.clock = clock
        configuration.random = { 1 }
        configuration.timeout = .seconds(300)
        try configure(&configuration)
        self.source = source
        self.clock = clock
        transport = ScriptedTransport(handler)
        client = APIClient(
            baseURL: try BaseURL("https://api.example.com"),
            authenticatedBy: source,
            apiKey: try apiKey.map { try APIKey($0) },
            transport: transport,
            configuration: configuration
        )
    }

    var refreshes: Int { source?.refreshes ?? 0 }
    var authorizations: [String?] { transport.requests.map { $0.head.headerFields[.authorization] } }
    /// The method and URL of every request.
    var sent: [String] {
        transport.requests.map {
            "\($0.head.method.rawValue) \($0.head.scheme ?? "")://\($0.head.authority ?? "")\($0.head.path ?? "")"
        }
    }

    func get(_ options: EndpointOptions = EndpointOptions()) async throws -> Person {
        try await client.send(.get("/me", options: options))
    }

    /// Returns the error of a call that must not succeed.
    func failure<Response>(of endpoint: Endpoint<Response>) async -> APIError? {
        await #expect(throws: APIError.self) { _ = try await client.send(endpoint) }
    }

    func failure(_ options: EndpointOptions = EndpointOptions()) async -> APIError? {
        await failure(of: Endpoint<Person>.get("/me", options: options))
    }

    static let ada = TransportResponse.json(#"{"name":"Ada"}"#)

    static func unauthorized(_ challenges: String...) -> TransportResponse {
        refusal(401, challenges)
    }

    static func refusal(_ status: Int, _ challenges: [String] = []) -> TransportResponse {
        var fields = HTTPFields()
        for challenge in challenges { fields.append(HTTPField(name: .wwwAuthenticate, value: challenge)) }
        return .json("{}", status: status, headers: fields)
    }

    static func redirect(_ status: Int, to location: String) -> TransportResponse {
        .json("", status: status, headers: [.location: location])
    }

    /// Returns a body that can be sent only once.
    static func oneShot(_ text: String = "once") -> RequestBody {
        .oneShot(
            AsyncStream { continuation in
                continuation.yield(Array(text.utf8))
                continuation.finish()
            }
        )
    }
}
