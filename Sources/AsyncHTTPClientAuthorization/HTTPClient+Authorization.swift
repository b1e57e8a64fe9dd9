// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
public import APIClient
public import AsyncHTTPClient
import HTTPTypes
public import Logging
public import NIOCore
import NIOHTTP1

extension HTTPClient {
    /// Carries out a request with a session's access token.
    ///
    /// After a 401 the request is sent once more with another token, and up to twice with a new DPoP nonce. The
    /// token goes to the origin of the request alone. For a URL from a response, name the servers that it may go to.
    /// If the client follows a redirect to another origin, it drops `Authorization` itself, but not the proof of
    /// possession (DPoP), which is useless without the token. The proof is for one URL, so a server refuses it after a
    /// redirect. The response to a request that a redirect has changed from POST to GET is returned as it is.
    ///
    /// - Parameters:
    ///   - request: The request. Its fields `Authorization` and `DPoP` are replaced.
    ///   - source: The source of access tokens, such as a session.
    ///   - servers: The servers that the token may go to; nil for the request's, whatever it is.
    ///   - isBodyReplayable: Whether the request's body can be sent again. Pass true for a body of `bytes`, and never for
    ///     a `stream` that can be read once: the client would trap. If false, the response to a request with a body is
    ///     returned as it is. A request without a body is always sent again.
    ///   - timeout: The time limit of all attempts together. It ends with the head of the last response: for the body,
    ///     the client's own read timeout counts. The wait for a token does not count, and has the source's own limit.
    ///   - logger: The client's logger; nil for none.
    /// - Returns: The response of any status; its body may still be arriving. Its `history` has no credentials.
    /// - Throws: The client's error; the source's error if there is no token; `APIError` (`invalidRequest`;
    ///   `originNotAllowed` for plain http beyond loopback, and for a server that is not named, or that the source does not allow;
    ///   `proofUnavailable`); `CancellationError`.
    public func execute(
        _ request: HTTPClientRequest,
        authorizedBy source: any AccessTokenSource,
        for servers: Set<BaseURL>? = nil,
        isBodyReplayable: Bool = false,
        timeout: TimeAmount = .seconds(30),
        logger: Logger? = nil
    ) async throws -> HTTPClientResponse {
        var deadline = NIODeadline.now() + timeout
        var authorizer = RequestAuthorizer(source, for: servers)
        var request = request
        while true {
            let start = NIODeadline.now()
            try await authorizer.authorize(&request)
            deadline = deadline + (.now() - start)
            let response = try await execute(request, deadline: deadline, logger: logger)
            guard authorizer.verdict(on: response).sendsAgain, isBodyReplayable || request.body == nil else {
                return response.withoutCredentials
            }
        }
    }
}

extension RequestAuthorizer {
    /// Adds the credential to a request, as ``authorize(_:)-(HTTPRequest)``.
    public mutating func authorize(_ request: inout HTTPClientRequest) async throws {
        request.headers.remove(name: "Authorization")
        request.headers.remove(name: "DPoP")
        let method = HTTPTypes.HTTPRequest.Method(request.method.rawValue)
        guard let method else { throw APIError(.invalidRequest) }
        for field in try await fields(for: method, request.url) {
            request.headers.add(name: field.name.canonicalName, value: field.value)
        }
    }

    /// Decides what a response means for the credential that its request carried.
    ///
    /// - Parameter response: The response. Untrusted.
    /// - Returns: The verdict; `final` if a redirect has led to another origin or to another method, or to a URL that the
    ///   proof is not for.
    public mutating func verdict(on response: HTTPClientResponse) -> AuthorizationVerdict {
        if response.history.count > 1, let first = response.history.first?.request,
            let last = response.history.last?.request
        {
            guard last.method == first.method, last.headers.contains(name: "Authorization"),
                !last.headers.contains(name: "DPoP")
            else { return .final }
        }
        return verdict(status: Int(response.status.code)) { response.headers[$0.canonicalName] }
    }
}

extension HTTPClientResponse {
    /// The response without the tokens in its history, which its description would show.
    fileprivate var withoutCredentials: HTTPClientResponse {
        var response = self
        for index in response.history.indices {
            response.history[index].request.headers.remove(name: "Authorization")
            response.history[index].request.headers.remove(name: "DPoP")
        }
        return response
    }
}
#endif
