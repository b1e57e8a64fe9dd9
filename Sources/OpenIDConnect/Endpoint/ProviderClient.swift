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
/// It sends once, adds no credentials of its own, and limits the size of the response. It follows a redirect within the
/// origin to a document, and no other: credentials go to one address alone.
/// [RFC 9700, 4.12](https://www.rfc-editor.org/rfc/rfc9700#section-4.12).
struct ProviderClient: Sendable {
    let settings: ProviderSettings

    func get(_ endpoint: EndpointURL, accept: String = "application/json", _ more: HTTPFields = [:]) async throws
        -> ProviderResponse
    {
        try await send(.get, endpoint, fields: more, accept: accept)
    }

    /// Sends a form, which reaches the provider at most once; if `sendGuard` returns false, it isn't sent at all.
    func post(
        _ form: [(String, String)],
        to endpoint: EndpointURL,
        _ more: HTTPFields = [:],
        sendGuard: (@Sendable () -> Bool)? = nil
    ) async throws -> ProviderResponse {
        try await send(.post, endpoint, body: .form(form), sendGuard, fields: more)
    }

    func post(json: [UInt8], to endpoint: EndpointURL, _ more: HTTPFields = [:]) async throws -> ProviderResponse {
        try await send(.post, endpoint, body: RequestBody(json, contentType: "application/json"), fields: more)
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ endpoint: EndpointURL,
        body: RequestBody? = nil,
        _ sendGuard: (@Sendable () -> Bool)? = nil,
        fields: HTTPFields,
        accept: String = "application/json"
    ) async throws -> ProviderResponse {
        let client = APIClient(
            baseURL: endpoint.server,
            transport: settings.transport,
            timeout: settings.timeout,
            retries: 0,
            clock: settings.suspendingClock,
            now: settings.now,
            logger: settings.logger
        )
        let request = Endpoint.raw(method, "/", body: body).at(endpoint.description)
        // An anonymous call follows no redirect.
        var call = method == .get && fields[.authorization] == nil ? request : request.anonymous
        call.headers = fields
        call.headers[.accept] = accept
        call.sendsOnce = method == .post
        call.sendGuard = sendGuard
        let sent = settings.now()
        let response = try await client.send(call)
        let offset = response.head.headerFields[.date].flatMap {
            ClockOffset(dateField: $0, sent: sent, received: settings.now())
        }
        return ProviderResponse(
            status: response.head.status.code,
            fields: response.head.headerFields,
            body: response.body,
            learnedOffset: offset,
            sent: response.sent
        )
    }
}

extension OpenIDError.Operation {
    /// Sends a request of this operation, whose error it makes of an `APIError`.
    func sending(_ send: () async throws -> ProviderResponse) async throws -> ProviderResponse {
        do {
            return try await send()
        } catch let error as APIError {
            throw OpenIDError(self, error)
        }
    }
}
