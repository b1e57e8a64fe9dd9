// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A client for requests over loopback; it follows no redirect.
enum TestHTTP {
    private static let client = HTTPClient(configuration: .init(redirectConfiguration: .disallow))

    static func get(_ url: String, headers: [String: String] = [:]) async throws -> TestResponse {
        try await send(.GET, url, headers: headers)
    }

    static func post(_ url: String, headers: [String: String] = [:], body: Data?) async throws -> TestResponse {
        try await send(.POST, url, headers: headers, body: body)
    }

    static func put(_ url: String, headers: [String: String] = [:], body: Data?) async throws -> TestResponse {
        try await send(.PUT, url, headers: headers, body: body)
    }

    private static func send(
        _ method: HTTPMethod,
        _ url: String,
        headers: [String: String],
        body: Data? = nil
    ) async throws -> TestResponse {
        var request = HTTPClientRequest(url: url)
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(body) }
        return try await TestResponse(client.execute(request, timeout: .seconds(30)))
    }
}

extension TestHTTP {
    /// Sends a form.
    static func post(_ url: String, form: [String: String]) async throws -> TestResponse {
        try await post(
            url,
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Data(encode(form).utf8)
        )
    }

    /// Encodes the fields of a form or a query.
    static func encode(_ fields: [String: String]) -> String {
        var components = URLComponents()
        components.queryItems = fields.map { URLQueryItem(name: $0.key, value: $0.value) }
        return (components.percentEncodedQuery ?? "").replacing("+", with: "%2B")
    }
}
