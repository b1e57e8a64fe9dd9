// SPDX-License-Identifier: Apache-2.0

public import APIClient
import HTTPTypes

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension AccessTokenSource {
    /// Adds the current credential to one request.
    ///
    /// Replaces the fields `Authorization` and `DPoP`. The token goes to the host that the URL names: for a URL from a
    /// response, restrict the source (`restricted(to:)`). Send the request with redirects refused: on Linux `URLSession`
    /// forwards `Authorization` to any host. `URLSession.data(for:authorizedBy:)` takes care of that, and sends the
    /// request once more after a 401.
    ///
    /// - Parameter request: The request.
    /// - Throws: `APIError` (`invalidRequest` if the URL is invalid; `originNotAllowed` for plain http beyond loopback;
    ///   `proofUnavailable`); the source's error if there is no token; `CancellationError`. The request then carries no
    ///   credential.
    public func authorize(_ request: inout URLRequest) async throws {
        var authorizer = RequestAuthorizer(self)
        try await authorizer.authorize(&request)
    }
}

extension RequestAuthorizer {
    /// Adds the credential to a request.
    ///
    /// Replaces the fields `Authorization` and `DPoP`. A request to another origin than the first one's gets none.
    ///
    /// - Parameter request: The request.
    /// - Throws: `APIError` (`invalidRequest`, `originNotAllowed`, `proofUnavailable`); the source's error if there is
    ///   no token; `CancellationError`.
    public mutating func authorize(_ request: inout URLRequest) async throws {
        var credential = HTTPFields()
        defer { request.setCredential(credential) }
        guard let url = request.url, let method = request.method else { throw APIError(.invalidRequest) }
        credential = try await fields(for: method, url.absoluteString)
    }

    /// Decides what a response means for the credential that its request carried.
    ///
    /// - Parameter response: The response. Untrusted.
    /// - Returns: The verdict.
    public mutating func verdict(on response: HTTPURLResponse) -> AuthorizationVerdict {
        verdict(status: response.statusCode) { name in
            response.value(forHTTPHeaderField: name.canonicalName).map { [$0] } ?? []
        }
    }

    /// Returns the request that follows a redirect, with the credential if it stays at the origin.
    ///
    /// - Parameters:
    ///   - request: The request that the client would send.
    ///   - response: The redirect. Untrusted.
    /// - Returns: The request to send instead; nil if the redirect must not be followed: from https to plain http, or to
    ///   another origin with a method other than GET and HEAD.
    mutating func redirected(_ request: URLRequest, by response: HTTPURLResponse) -> URLRequest? {
        // The nonce of the redirect is for the next proof.
        _ = verdict(on: response)
        guard let url = request.url, let method = request.method else { return nil }
        if response.url?.scheme?.lowercased() == "https", url.scheme?.lowercased() != "https" { return nil }
        var request = request
        let fields = redirectFields(for: method, url.absoluteString)
        request.setCredential(fields)
        if fields.isEmpty {
            for name in SensitiveHeaderFields.known { request.setValue(nil, forHTTPHeaderField: name.canonicalName) }
            if method != .get && method != .head { return nil }
        }
        return request
    }
}

extension URLRequest {
    fileprivate var method: HTTPTypes.HTTPRequest.Method? { .init(httpMethod ?? "GET") }

    /// Replaces the fields of a credential.
    fileprivate mutating func setCredential(_ fields: HTTPFields) {
        for name in [HTTPField.Name.authorization, .dpop] {
            setValue(fields[name], forHTTPHeaderField: name.canonicalName)
        }
    }
}
