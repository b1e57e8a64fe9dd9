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
    /// Replaces the fields `Authorization` and `DPoP`. Use `URLSession.data(for:authorizedBy:)` to send the request
    /// once more after a 401.
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
        request.setCredential([:])
        guard let url = request.url, let method = request.method else { throw APIError(.invalidRequest) }
        request.setCredential(try await fields(for: method, url.absoluteString))
    }

    /// Decides what a response means for the credential that its request carried.
    ///
    /// - Parameter response: The response. Untrusted.
    /// - Returns: The verdict.
    public mutating func verdict(on response: HTTPURLResponse) -> AuthorizationVerdict {
        var head = HTTPResponse(status: .init(code: response.statusCode))
        for name in [HTTPField.Name.wwwAuthenticate, .dpopNonce] {
            guard let value = response.value(forHTTPHeaderField: name.canonicalName), HTTPField.isValidValue(value)
            else {
                continue
            }
            head.headerFields.append(HTTPField(name: name, value: value))
        }
        return verdict(on: head)
    }

    /// Returns the request that follows a redirect, with the credential if it stays at the origin.
    ///
    /// - Parameter request: The request that the client would send.
    /// - Returns: The request to send instead.
    mutating func redirected(_ request: URLRequest) -> URLRequest {
        var request = request
        request.setCredential([:])
        if let url = request.url, let method = request.method {
            request.setCredential(redirectFields(for: method, url.absoluteString))
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
