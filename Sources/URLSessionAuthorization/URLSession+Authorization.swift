// SPDX-License-Identifier: Apache-2.0

public import APIClient

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSession {
    /// Loads a request with a session's access token.
    ///
    /// After a 401 the request is sent once more with another token, and up to twice with a new DPoP nonce, unless its
    /// body is a stream or a redirect has changed its method. The token goes to the host that the URL names: for a URL
    /// from a response, restrict the source (`restricted(to:)`).
    ///
    /// A redirect is followed, and the session's own delegate is not asked. Within the origin the credential goes
    /// along, with a new proof. To another origin, and from there on, nothing goes along that may be a credential, and
    /// a redirect is followed only if its request is a GET or HEAD. A redirect from https to plain http is returned and
    /// not followed, and one to another origin if the configuration adds a credential to each request.
    ///
    /// On Linux another session with this session's configuration and no delegate sends the requests. All authorized
    /// requests of this session share it and its connections. It is released by the first authorized request of any
    /// session after this session is gone. `invalidateAndCancel()` does not end the requests. A redirect that keeps a
    /// body is returned there and not followed, because the platform would send it without the body. A redirect that is
    /// returned, and a 401 whose challenges include `Basic`, come without their body. If the task is cancelled, the
    /// call throws at once, but a request that was sent goes on and ends by itself: the server may still carry it out.
    ///
    /// - Parameters:
    ///   - request: The request. Its fields `Authorization` and `DPoP` are replaced.
    ///   - source: The source of access tokens, such as a session.
    /// - Returns: The body and the response, of any status.
    /// - Throws: The session's error; the source's error if there is no token; `APIError` (`invalidRequest`;
    ///   `originNotAllowed` for plain http beyond loopback, and for a server that the source does not allow;
    ///   `proofUnavailable`); if the task is cancelled, `CancellationError` or `URLError.cancelled`.
    public func data(
        for request: URLRequest,
        authorizedBy source: any AccessTokenSource
    ) async throws -> (Data, URLResponse) {
        var authorizer = RequestAuthorizer(source)
        var request = request
        while true {
            try await authorizer.authorize(&request)
            let redirects = RedirectAuthorizer(authorizer)
            let (data, response) = try await redirects.data(for: request, of: self)
            authorizer = redirects.authorizer
            guard let head = response as? HTTPURLResponse, authorizer.verdict(on: head).sendsAgain,
                request.httpBodyStream == nil, !redirects.hasChangedMethod
            else { return (data, response) }
        }
    }
}
