// SPDX-License-Identifier: Apache-2.0

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
/// configuration has the policy `RetryPolicy.unauthenticated`: gRPC gives an interceptor no way to do so. A refusal
/// that comes after initial metadata or a message ends the call, and replaces no token.
///
/// A new token that the server rejects too is not replaced until the server has accepted it. The server has accepted a
/// token if a call with it succeeds, or fails with `NOT_FOUND`, `ALREADY_EXISTS`, `PERMISSION_DENIED`,
/// `FAILED_PRECONDITION`, `ABORTED` or `OUT_OF_RANGE`. Other statuses often come from a proxy, and say nothing about the
/// token.
///
/// A refusal that another token would not change is not retried. Its `RPCError` has an `APIError` as the cause:
/// `stepUpRequired`, `insufficientScope` or `dpopNonceRequired`. If there is no token, nothing is sent, and the call
/// fails with `unauthenticated`; the cause is the source's error. A call that is cancelled while it waits for a token
/// ends at once with `RPCError` `cancelled`, or with gRPC's `CancellationError`.
///
/// Each attempt carries the token of the user who is signed in at that moment. gRPC does not tell an interceptor which
/// attempts belong to one call, so a waiting call would be sent with the next user's token. End a user's calls before
/// another user signs in.
public struct AuthorizationInterceptor: ClientInterceptor {
    private let source: any AccessTokenSource
    private let server: BaseURL
    private let renewed = RenewedToken()

    /// Creates an interceptor for one server.
    ///
    /// - Parameters:
    ///   - source: The source of access tokens, such as a session.
    ///   - server: The server's address. The proof of possession names its origin. The client that has this interceptor
    ///     must connect to no other server, and with TLS, because each of its calls carries the token. Put it last among
    ///     the client's interceptors: later ones see the token.
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
    /// - Throws: `RPCError` (`unauthenticated` if there is no token, with the source's error as the cause; `cancelled`);
    ///   gRPC's `CancellationError`.
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
        do {
            try await authorizer.authorize(&head)
        } catch is CancellationError {
            throw RPCError.callCancelled
        } catch {
            var refusal = RPCError(code: .unauthenticated, message: "There is no access token.", cause: error)
            refusal.stopRetries()
            throw refusal
        }
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
            _ = authorizer.verdict(status: 200) { contents.metadata[stringValues: $0.canonicalName] }
            renewed.accept(authorizer.accessToken)
        case .failure(var error):
            let metadata = error.metadata
            let verdict = authorizer.verdict(status: error.httpStatus) { metadata[stringValues: $0.canonicalName] }
            if error.code.impliesAcceptedToken { renewed.accept(authorizer.accessToken) }
            switch verdict {
            case .renewProof:
                error.retryAtOnce()
            case .reauthenticate where !renewed.isUnproven(authorizer.accessToken):
                do {
                    // The next attempt, which is another call of this function, gets the same token.
                    try await authorizer.authorize(&head)
                    renewed.note(authorizer.accessToken)
                    error.retryAtOnce()
                } catch is CancellationError {
                    throw RPCError.callCancelled
                } catch let cause {
                    error.cause = cause
                    error.stopRetries()
                }
            default:
                error.cause = verdict.error(status: error.httpStatus) ?? error.cause
                error.stopRetries()
            }
            response.accepted = .failure(error)
        }
        return response
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
    /// For the service configuration of a client with an ``AuthorizationInterceptor``. gRPC keeps up to 64 messages of the
    /// request for that, and sends no call again that has more, or whose response has begun.
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

extension RPCError.Code {
    /// Whether a server usually looks at the call's token before it fails with this status.
    ///
    /// The other statuses reject the token, or often come from the client, from a proxy or from a server that has not
    /// looked at the token.
    fileprivate var impliesAcceptedToken: Bool {
        switch self {
        case .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .aborted, .outOfRange: true
        default: false
        }
    }
}

extension RPCError {
    /// The status of the HTTP response that means the same, as far as it matters to a credential.
    fileprivate var httpStatus: Int {
        switch code {
        case .unauthenticated: 401
        case .permissionDenied: 403
        default: 200
        }
    }

    fileprivate static var callCancelled: RPCError { RPCError(code: .cancelled, message: "The call was cancelled.") }

    private static let pushback = "grpc-retry-pushback-ms"

    /// Tells the client not to send the call again.
    ///
    /// Wire: `grpc-retry-pushback-ms`, gRPC's proposal A6.
    fileprivate mutating func stopRetries() {
        guard code == .unauthenticated else { return }
        metadata.replaceOrAddString("-1", forKey: Self.pushback)
    }

    /// Removes the server's delay of the next attempt: another user may be signed in by then.
    ///
    /// A negative or malformed delay stays: it means that the server wants no other attempt.
    fileprivate mutating func retryAtOnce() {
        guard metadata[stringValues: Self.pushback].allSatisfy({ Int($0) ?? -1 >= 0 }) else { return }
        metadata.removeAllValues(forKey: Self.pushback)
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
