// SPDX-License-Identifier: Apache-2.0

// Apple systems alone: on Linux a cancelled task of URLSession aborts the process, and a redirect forwards the token.
#if canImport(Darwin)
public import Foundation
import HTTPTypes

extension URLSession {
    /// Loads a request with a session's access token.
    ///
    /// After a 401 the request is sent once more with another token, and up to twice with a new DPoP nonce, unless its
    /// body is a stream. A redirect is returned and not followed, because the system would send the token along; the
    /// session's own delegate is not asked.
    ///
    /// - Parameter servers: The servers that the token may go to; nil for the request's, whatever it is. Name them for a
    ///   URL from a response.
    /// - Returns: The body and the response, of any status.
    /// - Throws: The session's error; the source's error if there is no token; ``APIError`` (`invalidRequest`,
    ///   `originNotAllowed`, `proofUnavailable`); if the task is cancelled, `CancellationError` or `URLError.cancelled`.
    public func data(
        for request: URLRequest,
        authorizedBy source: any AccessTokenSource,
        for servers: Set<BaseURL>? = nil
    ) async throws -> (Data, URLResponse) {
        var authorizer = RequestAuthorizer(source, for: servers)
        var request = request
        while true {
            try await authorizer.authorize(&request)
            let (data, response) = try await data(for: request, delegate: RedirectRefusal())
            guard let head = response as? HTTPURLResponse, authorizer.verdict(on: head).sendsAgain,
                request.httpBodyStream == nil
            else { return (data, response) }
        }
    }
}

extension RequestAuthorizer {
    /// Adds the credential to a request, as ``authorize(_:)-(HTTPRequest)``.
    public mutating func authorize(_ request: inout URLRequest) async throws {
        var credential = HTTPFields()
        defer {
            for name in [HTTPField.Name.authorization, .dpop] {
                request.setValue(credential[name], forHTTPHeaderField: name.canonicalName)
            }
        }
        guard let url = request.url, let method = HTTPRequest.Method(request.httpMethod ?? "GET") else {
            throw APIError(.invalidRequest)
        }
        credential = try await fields(for: method, url.absoluteString)
    }

    /// Decides what a response means for the credential that its request carried.
    public mutating func verdict(on response: HTTPURLResponse) -> AuthorizationVerdict {
        verdict(status: response.statusCode) { name in
            response.value(forHTTPHeaderField: name.canonicalName).map { [$0] } ?? []
        }
    }
}
#endif
