#if GRPC
public import APIClient
import AuthCore
public import GRPCCore
import HTTPTypes
import Synchronization

/// An interceptor whose calls carry a session's access token.
///
/// The token is sent as the metadata `authorization`, the proof of possession (DPoP) as `dpop`. The server's metadata
/// `www-authenticate` and `dpop-nonce` are read like HTTP's fields.
///
/// After `UNAUTHENTICATED` the interceptor obtains another token. The client sends the call again if its service
/// configuration has the policy `RetryPolicy.unauthenticated`: gRPC gives an interceptor no way to do so. A new token
/// that the server rejects too is not replaced until a call with it has succeeded.
///
/// A refusal that another token would not change is not retried. Its `RPCError` has an `APIError` as the cause:
/// `stepUpRequired`, `insufficientScope` or `dpopNonceRequired`. If there is no token, the call fails with an
/// `RPCError` (`unknown`) whose cause is the source's error, and nothing is sent. A cancelled call ends at once.
public struct AuthorizationInterceptor: ClientInterceptor {
    private let source: any AccessTokenSource
    private let server: BaseURL
    private let renewed = RenewedToken()

    /// Creates an interceptor for one server.
    ///
    /// - Parameters:
    ///   - source: The source of access tokens, such as a session.
    ///   - server: The server's address. The proof of possession names its origin. The client that has this interceptor
    ///     must connect to no other server, because each of its calls carries the token.
    public init(_ source: any AccessTokenSource, server: BaseURL) {
        self.source = source
        self.server = server
    }

    /// Adds the credential to a call, and replaces a token that the server rejects.
    ///
    /// - Parameters:
    ///   - request: The call's request.
    ///   - context: The call's method.
    ///   - next: The rest of the interceptors, and the call itself.
    /// - Returns: The response; a refusal has its cause.
    /// - Throws: The source's error if there is no token; `APIError` (`proofUnavailable`); `CancellationError`.
    @concurrent
    public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingClientRequest<Input>,
        context: ClientContext,
        next: @concurrent (StreamingClientRequest<Input>, ClientContext) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
        // `BaseURL` refuses plain http beyond loopback unless its caller allows it.
        var authorizer = RequestAuthorizer(source, insecureHTTP: .insecurelyAllowHTTP)
        var head = HTTPRequest(
            method: .post,
            scheme: server.scheme,
            authority: server.authority,
            path: "/" + context.descriptor.fullyQualifiedMethod
        )
        try await authorizer.authorize(&head)
        var request = request
        for name in [HTTPField.Name.authorization, .dpop] {
            request.metadata.removeAllValues(forKey: name.canonicalName)
            for value in head.headerFields[values: name] {
                request.metadata.addString(value, forKey: name.canonicalName)
            }
        }
        var response = try await next(request, context)
        switch response.accepted {
        case .success(let contents):
            _ = authorizer.verdict(on: Self.head(.ok, contents.metadata))
            renewed.accept(authorizer.accessToken)
        case .failure(var error):
            let verdict = authorizer.verdict(on: Self.head(error.status, error.metadata))
            let isReplaceable = verdict == .reauthenticate && !renewed.isUnproven(authorizer.accessToken)
            if isReplaceable {
                do {
                    // The next attempt, which is another call of this function, gets the same token.
                    try await authorizer.authorize(&head)
                    renewed.note(authorizer.accessToken)
                } catch {
                    return StreamingClientResponse(error: refusal(error, after: response))
                }
            }
            if !isReplaceable, verdict != .renewProof {
                error.cause = verdict.error(status: error.status.code) ?? error.cause
                error.stopRetries()
                response.accepted = .failure(error)
            }
        }
        return response
    }

    /// Returns the refusal of a token that can't be replaced.
    private func refusal(
        _ cause: any Error,
        after response: StreamingClientResponse<some Sendable>
    ) -> RPCError {
        guard case .failure(var refusal) = response.accepted else {
            return RPCError(code: .unauthenticated, message: "The access token was rejected.", cause: cause)
        }
        refusal.cause = cause
        refusal.stopRetries()
        return refusal
    }

    /// Returns the head of the HTTP response that means the same.
    private static func head(_ status: HTTPResponse.Status, _ metadata: Metadata) -> HTTPResponse {
        var head = HTTPResponse(status: status)
        for name in [HTTPField.Name.wwwAuthenticate, .dpopNonce] {
            for value in metadata[stringValues: name.canonicalName] where HTTPField.isValidValue(value) {
                head.headerFields.append(HTTPField(name: name, value: value))
            }
        }
        return head
    }
}

/// The token that replaced a rejected one and has not been accepted yet.
///
/// Each attempt of a call runs the interceptor anew. Without this memory, a server that rejects every token would cause
/// a refresh with each attempt.
private final class RenewedToken: Sendable {
    private let token = Mutex<AccessToken?>(nil)

    func note(_ new: AccessToken?) { token.withLock { $0 = new } }

    func isUnproven(_ sent: AccessToken?) -> Bool { token.withLock { $0 != nil && $0 == sent } }

    func accept(_ sent: AccessToken?) {
        token.withLock { token in
            if token == sent { token = nil }
        }
    }
}

extension GRPCCore.RetryPolicy {
    /// A policy that sends a call again after `UNAUTHENTICATED`: once with another token, and once with a DPoP nonce.
    ///
    /// For the service configuration of a client with an ``AuthorizationInterceptor``. gRPC keeps the messages of the
    /// request while it may be sent again, and sends no call again whose response has begun.
    public static var unauthenticated: GRPCCore.RetryPolicy {
        GRPCCore.RetryPolicy(
            maxAttempts: 3,
            initialBackoff: .milliseconds(1),
            maxBackoff: .milliseconds(10),
            backoffMultiplier: 1,
            retryableStatusCodes: [.unauthenticated]
        )
    }
}

extension RPCError {
    /// The status of the HTTP response that means the same, as far as it matters to a credential.
    fileprivate var status: HTTPResponse.Status {
        switch code {
        case .unauthenticated: .unauthorized
        case .permissionDenied: .forbidden
        default: .ok
        }
    }

    /// Tells the client not to send the call again.
    ///
    /// Wire: `grpc-retry-pushback-ms`, gRPC's proposal A6.
    fileprivate mutating func stopRetries() {
        guard code == .unauthenticated else { return }
        metadata.replaceOrAddString("-1", forKey: "grpc-retry-pushback-ms")
    }
}

extension AuthorizationVerdict {
    /// The error that describes a final refusal; nil if the status says everything.
    fileprivate func error(status: Int) -> APIError? {
        switch self {
        case .insufficientScope(let scope): APIError(.insufficientScope, status: status, requiredScope: scope)
        case .stepUpRequired(let challenge): APIError(.stepUpRequired, status: status, stepUp: challenge)
        case .nonceUnavailable: APIError(.dpopNonceRequired, status: status)
        case .final, .reauthenticate, .renewProof: nil
        }
    }
}
#endif
