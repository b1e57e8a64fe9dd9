// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// As APIClient's article on OpenAPI shows it, but for the import of OpenAPIRuntime.
struct AuthorizationMiddleware: ClientMiddleware {
    let source: any AccessTokenSource

    func intercept(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String,
        next: @concurrent @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var (request, authorizer) = (request, RequestAuthorizer(source))
        while true {
            try await authorizer.authorize(&request, at: baseURL.absoluteString + (request.path ?? ""))
            let response = try await next(request, body, baseURL)
            guard authorizer.verdict(on: response.0).sendsAgain, body?.iterationBehavior != .single else {
                return response
            }
        }
    }
}
