#if AsyncHTTPClient
public import APIClient
public import AsyncHTTPClient
import HTTPTypes
public import Logging
public import NIOCore
import NIOHTTP1

extension HTTPClient {
    /// The longest body of a refused response that is read so that its connection can be kept, in bytes.
    private static let maximumRefusal = 65_536

    /// Carries out a request with a session's access token.
    ///
    /// After a 401 the request is sent once more with another token, and up to twice with a new DPoP nonce. The
    /// credential goes to the origin of the request alone. If the client follows a redirect to another origin, it drops
    /// `Authorization` itself. A proof of possession (DPoP) is for one URL, so a bound token is not accepted after a
    /// redirect.
    ///
    /// - Parameters:
    ///   - request: The request. Its fields `Authorization` and `DPoP` are replaced.
    ///   - source: The source of access tokens, such as a session.
    ///   - isBodyReplayable: Whether the request's body can be sent again. Pass true for a body of bytes. If false, the
    ///     response to a request with a body is returned as it is. A request without body is always sent again.
    ///   - timeout: The time limit of all attempts together. Waiting for a token has the source's own limit.
    ///   - logger: The client's logger; nil for none.
    /// - Returns: The response of any status; its body may still be arriving.
    /// - Throws: The client's error; the source's error if there is no token; `APIError` (`invalidRequest`;
    ///   `originNotAllowed` for plain http beyond loopback; `proofUnavailable`); `CancellationError`.
    public func execute(
        _ request: HTTPClientRequest,
        authorizedBy source: any AccessTokenSource,
        isBodyReplayable: Bool = false,
        timeout: TimeAmount = .seconds(30),
        logger: Logger? = nil
    ) async throws -> HTTPClientResponse {
        let deadline = NIODeadline.now() + timeout
        var authorizer = RequestAuthorizer(source)
        var request = request
        while true {
            try await authorizer.authorize(&request)
            let response = try await execute(request, deadline: deadline, logger: logger)
            guard authorizer.verdict(on: response).sendsAgain, isBodyReplayable || request.body == nil else {
                return response
            }
            // Otherwise its connection is closed. A failure changes nothing: the response is not used.
            _ = try? await response.body.collect(upTo: Self.maximumRefusal)
        }
    }
}

extension RequestAuthorizer {
    /// Adds the credential to a request.
    ///
    /// As ``authorize(_:)-(HTTPRequest)``.
    ///
    /// - Parameter request: The request.
    /// - Throws: `APIError` (`invalidRequest`, `originNotAllowed`, `proofUnavailable`); the source's error if there is
    ///   no token; `CancellationError`.
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
    /// - Returns: The verdict; `final` if a redirect has led to another origin, or to a URL that the proof is not for.
    public mutating func verdict(on response: HTTPClientResponse) -> AuthorizationVerdict {
        if response.history.count > 1, let last = response.history.last?.request {
            guard isOrigin(of: last.url), !last.headers.contains(name: "DPoP") else { return .final }
        }
        var head = HTTPTypes.HTTPResponse(status: .init(code: Int(response.status.code)))
        for name in [HTTPField.Name.wwwAuthenticate, .dpopNonce] {
            for value in response.headers[name.canonicalName] where HTTPField.isValidValue(value) {
                head.headerFields.append(HTTPField(name: name, value: value))
            }
        }
        return verdict(on: head)
    }
}
#endif
