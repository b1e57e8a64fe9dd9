// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthorizedClient {
    /// The middleware of a generated client, over one of the package's transports, which follows no redirect.
    static let openAPI = AuthorizedClient(
        description: "OpenAPI middleware",
        followsRedirects: false
    ) { address, source in
        let transport = DefaultTransport.shared
        guard let server = URL(string: address) else { throw APIError(.invalidRequest) }
        let middleware = AuthorizationMiddleware(source: source)
        return { body in
            let request = HTTPRequest(method: body == .none ? .get : .post, scheme: nil, authority: nil, path: "/job")
            let behavior: HTTPBody.IterationBehavior = body == .once ? .single : .multiple
            let (response, _) = try await middleware.intercept(
                request,
                body: body == .none ? nil : HTTPBody(Body.bytes, iterationBehavior: behavior),
                baseURL: server,
                operationID: "job"
            ) { request, body, server in
                var head = request
                head.scheme = server.scheme
                head.authority = "\(server.host() ?? ""):\(server.port ?? 0)"
                let sent = TransportRequest(head: head, body: body?.bytes)
                return (try await transport.send(sent).head, nil)
            }
            return response.status.code
        }
    }
}
