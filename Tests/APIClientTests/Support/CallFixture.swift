// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Foundation
import HTTPTypes
import Testing

/// A client at `https://api.example.com` with a scripted server and a clock that a test controls.
struct CallFixture {
    struct Person: Codable, Equatable {
        var name = "Ada"
    }

    /// The settings of the client that a test changes.
    struct Settings {
        var timeout = Duration.seconds(300)
        var retries = 3
        var refreshesWithoutBearerChallenge = true
        /// Random pauses are as long as possible.
        var random: @Sendable () -> Double = { 1 }
        var now: @Sendable () -> Date = { Date() }
    }

    let transport: ScriptedTransport
    let source: TokenSourceDouble?
    let clock: ManualClock
    let client: APIClient

    /// Creates a client signed in with `t1`, which a refresh replaces with `t2`.
    init(
        source: TokenSourceDouble? = nil,
        isSignedIn: Bool = true,
        apiKey: String? = nil,
        clock: ManualClock = ManualClock(),
        configure: (inout Settings) throws -> Void = { _ in },
        handler: @escaping ScriptedTransport.Handler
    ) throws {
        let source = try isSignedIn ? source ?? TokenSourceDouble(current: "t1", afterRefresh: "t2") : nil
        var settings = Settings()
        try configure(&settings)
        self.source = source
        self.clock = clock
        transport = ScriptedTransport(handler)
        client = APIClient(
            baseURL: try BaseURL("https://api.example.com"),
            authenticatedBy: source,
            apiKey: try apiKey.map { try APIKey($0) },
            transport: transport,
            timeout: settings.timeout,
            retries: settings.retries,
            refreshesWithoutBearerChallenge: settings.refreshesWithoutBearerChallenge,
            clock: clock,
            now: settings.now,
            random: settings.random
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

    func get(_ endpoint: Endpoint<Person> = .get("/me")) async throws -> Person { try await client.send(endpoint) }

    /// Returns the error of a call that must not succeed.
    func failure<Response>(of endpoint: Endpoint<Response>) async -> APIError? {
        await #expect(throws: APIError.self) { _ = try await client.send(endpoint) }
    }

    func failure() async -> APIError? { await failure(of: Endpoint<Person>.get("/me")) }

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
}

extension Endpoint {
    /// Returns the same call with other properties.
    func with(_ change: (inout Endpoint) -> Void) -> Endpoint {
        var endpoint = self
        change(&endpoint)
        return endpoint
    }
}
