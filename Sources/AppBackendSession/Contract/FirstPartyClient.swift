// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import HTTPTypes
import Logging

/// A client for the calls to a first-party backend that concern the session itself.
///
/// The calls bypass the layer that authenticates and retries. Otherwise a refresh would wait for itself.
struct FirstPartyClient: Sendable {
    let baseURL: BaseURL
    let apiKey: APIKey?
    let client: APIClient
    let clock: SessionClock
    let logger: Logger

    init(baseURL: BaseURL, apiKey: APIKey?, over connection: AuthorityConnection) {
        self.baseURL = baseURL
        self.apiKey = apiKey
        clock = connection.clock
        logger = connection.logger
        client = connection.client(baseURL: baseURL, apiKey: apiKey)
    }

    /// Calls the backend.
    ///
    /// - Parameter sendGuard: Whether the request may still be sent, asked just before; nil if it always may.
    /// - Throws: `APIError`; `CancellationError`.
    func call<Response: Decodable & Sendable>(
        _ path: String,
        json: (any Encodable & Sendable)? = nil,
        bearer: AccessToken? = nil,
        sendGuard: (@Sendable () -> Bool)? = nil
    ) async throws -> Response {
        var endpoint: Endpoint<Response> = try endpoint(path, json, bearer)
        endpoint.sendGuard = sendGuard
        return try await client.send(endpoint)
    }

    /// Calls the backend, and also returns how far the server's clock is ahead of this device's.
    func response<Response: Decodable & Sendable>(
        _ path: String,
        json: (any Encodable & Sendable)? = nil,
        bearer: AccessToken? = nil
    ) async throws -> (value: Response, offset: ClockOffset) {
        let sent = clock.reading()
        let endpoint: Endpoint<Response> = try endpoint(path, json, bearer)
        let response = try await client.response(to: endpoint)
        // Derived from the reading at the start: the wall clock may be set while the request is in progress.
        let received = sent.date(at: clock.uptime())
        let offset = response.head.headerFields[.date].flatMap {
            ClockOffset(dateField: $0, sent: sent.date, received: received)
        }
        return (response.value, offset ?? .zero)
    }

    func post(
        _ path: String,
        json: any Encodable & Sendable,
        bearer: AccessToken
    ) async throws {
        try await client.send(sentOnce(Endpoint<Void>.post(path, body: try .json(json)), bearer))
    }

    /// Calls the backend only to see whether it responds.
    ///
    /// - Returns: The status of the response, whatever it is.
    /// - Throws: `APIError` if there is no response; `CancellationError`.
    @discardableResult
    func ping() async throws -> Int {
        try await client.send(.raw(.get, "/").anonymous).head.status.code
    }

    /// Replaces a value at the backend.
    ///
    /// - Throws: `APIError`; `CancellationError`.
    func put<Response: Decodable & Sendable>(
        _ path: String,
        json: any Encodable & Sendable,
        bearer: AccessToken
    ) async throws -> Response {
        try await client.send(sentOnce(.put(path, body: try .json(json)), bearer))
    }

    private func endpoint<Response: Decodable & Sendable>(
        _ path: String,
        _ json: (any Encodable & Sendable)?,
        _ bearer: AccessToken?
    ) throws -> Endpoint<Response> {
        sentOnce(.post(path, body: try json.map { try .json($0) }), bearer)
    }

    /// Returns a call that reaches the backend at most once, with a token of the session that it is about.
    private func sentOnce<Response>(_ endpoint: Endpoint<Response>, _ bearer: AccessToken?) -> Endpoint<Response> {
        var endpoint = endpoint.anonymous
        if let bearer { endpoint.headers.append(AccessCredential(bearer).field) }
        endpoint.sendsOnce = true
        return endpoint
    }
}
