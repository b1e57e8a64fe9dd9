// SPDX-License-Identifier: Apache-2.0

// A stand-in for swift-openapi-runtime, of which the tests declare only the parts that its client middleware uses, and
// for the code that swift-openapi-generator makes for one operation.

public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The stand-in for `OpenAPIRuntime.ClientMiddleware`.
public protocol ClientMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String,
        next: @concurrent @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?)
}

/// The stand-in for `OpenAPIRuntime.HTTPBody`.
public final class HTTPBody: Sendable {
    /// The number of times that the body can be read.
    public enum IterationBehavior: Sendable {
        case single
        case multiple
    }

    /// The number of times that this body can be read.
    public let iterationBehavior: IterationBehavior
    let bytes: [UInt8]

    init(_ bytes: [UInt8], iterationBehavior: IterationBehavior) {
        self.bytes = bytes
        self.iterationBehavior = iterationBehavior
    }
}

/// The stand-in for `OpenAPIRuntime.ClientTransport`.
public protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

/// The stand-in for the generated operations.
public enum Operations {
    /// One operation.
    public enum ListJobs {
        /// The operation's response.
        public enum Output: Sendable {
            case ok
            case undocumented(statusCode: Int)
        }
    }
}

/// The stand-in for a generated client.
public struct Client: Sendable {
    private let serverURL: URL
    private let transport: any ClientTransport
    private let middlewares: [any ClientMiddleware]

    /// Creates a client.
    public init(serverURL: URL, transport: any ClientTransport, middlewares: [any ClientMiddleware] = []) {
        self.serverURL = serverURL
        self.transport = transport
        self.middlewares = middlewares
    }

    /// Calls the operation.
    public func listJobs() async throws -> Operations.ListJobs.Output {
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/jobs")
        let response = try await send(request, through: middlewares[...])
        return response.status == .ok ? .ok : .undocumented(statusCode: response.status.code)
    }

    private func send(
        _ request: HTTPRequest,
        through middlewares: ArraySlice<any ClientMiddleware>
    ) async throws -> HTTPResponse {
        guard let middleware = middlewares.first else {
            return try await transport.send(request, body: nil, baseURL: serverURL, operationID: "listJobs").0
        }
        let (response, _) = try await middleware.intercept(
            request,
            body: nil,
            baseURL: serverURL,
            operationID: "listJobs"
        ) { request, _, _ in
            (try await send(request, through: middlewares.dropFirst()), nil)
        }
        return response
    }
}
