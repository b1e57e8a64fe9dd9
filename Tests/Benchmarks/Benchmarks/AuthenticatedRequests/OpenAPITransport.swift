// SPDX-License-Identifier: Apache-2.0

import APIClient
import Foundation
import HTTPTypes

/// The transport of a generated client: sends its requests with one of the package's transports.
struct OpenAPITransport: ClientTransport {
    private let transport: any Transport
    private let authorization: String?

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - token: The access token that each request carries; nil if a middleware adds it. Secret.
    init(_ transport: any Transport, given token: String? = nil) {
        self.transport = transport
        authorization = token.map { "Bearer \($0)" }
    }

    func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        if let authorization { request.headerFields[.authorization] = authorization }
        request.headerFields[.accept] = "application/json"
        request.scheme = baseURL.scheme
        request.authority = "\(baseURL.host() ?? ""):\(baseURL.port ?? 80)"
        request.path = baseURL.path() + (request.path ?? "")
        let response = try await transport.send(TransportRequest(head: request, timeout: .seconds(30)))
        return (response.head, HTTPBody(response.body, iterationBehavior: .multiple))
    }
}
