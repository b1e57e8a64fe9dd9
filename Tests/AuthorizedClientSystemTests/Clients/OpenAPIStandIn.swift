// SPDX-License-Identifier: Apache-2.0

// A stand-in for swift-openapi-runtime, of which the tests declare only the parts that its client middleware uses.

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
