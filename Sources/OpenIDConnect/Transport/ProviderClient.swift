// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A client that sends one request to a provider's endpoint and returns the response.
///
/// It sends once, follows no redirect, adds no credentials of its own, and limits the size of the response.
/// [RFC 9700, 4.12](https://www.rfc-editor.org/rfc/rfc9700#section-4.12).
struct ProviderClient: Sendable {
    let settings: ProviderSettings

    /// Sends a GET request.
    func get(_ endpoint: EndpointURL, accept: String = "application/json", _ more: HTTPFields = [:]) async throws
        -> ProviderResponse
    {
        try await send(.get, endpoint, fields: more, accept: accept)
    }

    /// Sends a form.
    ///
    /// - Parameters:
    ///   - form: The names and values, in order. May be secret.
    ///   - endpoint: The endpoint.
    ///   - more: Additional header fields.
    ///   - sendGuard: The check that runs just before the request is sent; false prevents the request. Nil for no
    ///     check.
    /// - Returns: The response, of any status.
    /// - Throws: `APIError` if no response came; `CancellationError`.
    func post(
        _ form: [(String, String)],
        to endpoint: EndpointURL,
        _ more: HTTPFields = [:],
        sendGuard: (@Sendable () -> Bool)? = nil
    ) async throws -> ProviderResponse {
        var fields = more
        fields[.contentType] = "application/x-www-form-urlencoded"
        var body = RequestBody.bytes(Array(FormEncoding.encode(form).utf8))
        if let sendGuard { body = body.guarded(by: sendGuard) }
        return try await send(.post, endpoint, body: body, fields: fields, accept: "application/json")
    }

    /// Sends JSON.
    func post(json: [UInt8], to endpoint: EndpointURL, _ more: HTTPFields = [:]) async throws -> ProviderResponse {
        var fields = more
        fields[.contentType] = "application/json"
        return try await send(.post, endpoint, body: .bytes(json), fields: fields, accept: "application/json")
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ endpoint: EndpointURL,
        body: RequestBody = .none,
        fields: HTTPFields,
        accept: String
    ) async throws -> ProviderResponse {
        var configuration = APIClient.Configuration()
        configuration.timeout = settings.timeout
        configuration.clock = settings.suspendingClock
        configuration.now = settings.now
        configuration.logger = settings.logger
        let client = APIClient(
            baseURL: endpoint.server,
            transport: settings.transport ?? DefaultTransport.shared,
            configuration: configuration
        )
        var options = EndpointOptions.anonymous
        options.headers = fields
        options.headers[.accept] = accept
        let call = Endpoint.raw(method, "/", body: body, options: options).at(endpoint.address)
        let sent = settings.now()
        let response = try await client.send(call)
        let offset = response.head.headerFields[.date].flatMap {
            ClockOffset(dateField: $0, sent: sent, received: settings.now())
        }
        return ProviderResponse(
            status: response.head.status.code,
            fields: response.head.headerFields,
            body: response.body,
            learnedOffset: offset
        )
    }
}
