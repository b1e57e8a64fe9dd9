// SPDX-License-Identifier: Apache-2.0

extension APIError {
    /// The kind of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unauthorized
            case forbidden
            case refused
            case rateLimited
            case serverFailed
            case redirected
            case malformedResponse
            case unreachable
            case invalidEndpoint
            case insufficientScope
            case stepUpRequired
            case dpopNonceRequired
            case proofUnavailable
            case bodyNotRepeatable
            case tooManyRedirects
            case unsafeRedirect
            case originNotAllowed
            case timedOut
            case invalidRequest
            case bodyFailed
        }

        private let value: Value

        /// 401, even with a new token if the source had one.
        ///
        /// The session does not end.
        public static let unauthorized = Code(value: .unauthorized)
        /// 403: the user may not do this.
        ///
        /// A new token would not help.
        public static let forbidden = Code(value: .forbidden)
        /// Another 4xx: the server refuses this request as it is.
        public static let refused = Code(value: .refused)
        /// 429: too many requests.
        ///
        /// ``APIError/retryAfter`` is the time to wait, if the server gave one.
        public static let rateLimited = Code(value: .rateLimited)
        /// 5xx: the server failed.
        ///
        /// A later call may succeed.
        public static let serverFailed = Code(value: .serverFailed)
        /// 3xx: a redirect that the ``RedirectPolicy`` does not follow, or one without a location.
        public static let redirected = Code(value: .redirected)
        /// The response is not as the endpoint expects: it is not JSON, lacks a member, or is too large.
        public static let malformedResponse = Code(value: .malformedResponse)
        /// There was no response, or it broke off; ``APIError/underlying`` is the ``TransportError``.
        public static let unreachable = Code(value: .unreachable)
        /// The endpoint's path is invalid, or an interceptor made it so.
        public static let invalidEndpoint = Code(value: .invalidEndpoint)

        /// 401 or 403 with `insufficient_scope`: the token is valid but allows too little.
        ///
        /// ``APIError/requiredScope`` is the required scope, if the server named it. A new token of the same sign-in
        /// would not help. [RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
        public static let insufficientScope = Code(value: .insufficientScope)
        /// 401 with `insufficient_user_authentication`: the token is valid but the user must authenticate again.
        ///
        /// ``APIError/stepUp`` is the required authentication. A new token of the same sign-in would not help.
        /// [RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3).
        public static let stepUpRequired = Code(value: .stepUpRequired)
        /// 401 with `use_dpop_nonce`: the server wants a proof of possession with its nonce.
        ///
        /// The token is valid. [RFC 9449, 9](https://www.rfc-editor.org/rfc/rfc9449#section-9).
        public static let dpopNonceRequired = Code(value: .dpopNonceRequired)
        /// The access token is bound to a key, and its source, which is not the session itself, gives no proof of
        /// possession.
        ///
        /// The token was not sent. [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
        public static let proofUnavailable = Code(value: .proofUnavailable)
        /// The request would have to be sent again but its body can't be: after a 401, or a redirect that keeps the
        /// method, such as a 307.
        ///
        /// ``APIError/status`` is that status; nil if the body was used up before the call. Call again with a new body.
        public static let bodyNotRepeatable = Code(value: .bodyNotRepeatable)
        /// More redirects in a row than the ``RedirectPolicy`` follows: usually a loop.
        public static let tooManyRedirects = Code(value: .tooManyRedirects)
        /// A redirect to plain http, to a URL with a user, or with a `Location` that is unreadable or repeated.
        public static let unsafeRedirect = Code(value: .unsafeRedirect)
        /// The origin is not one of the client's, and the call carries credentials or uses plain http beyond loopback; or
        /// the source of the credentials does not allow the origin.
        ///
        /// Nothing was sent.
        public static let originNotAllowed = Code(value: .originNotAllowed)
        /// The call's timeout expired while it waited for a token, or before it could be sent again.
        ///
        /// If it expires while the call waits for a response, the code is ``unreachable``.
        public static let timedOut = Code(value: .timedOut)
        /// The request can't be sent as it is: a header field has characters that HTTP forbids, or is one that the
        /// transport writes itself, such as `Host` or `Content-Length`.
        ///
        /// Nothing was sent.
        public static let invalidRequest = Code(value: .invalidRequest)
        /// The request's body could not be produced, for example because its file can't be read.
        ///
        /// ``APIError/underlying`` is the ``TransportError``, and its own underlying error is the cause, if there is
        /// one.
        public static let bodyFailed = Code(value: .bodyFailed)

        /// The code's name.
        public var description: String { value.rawValue }
    }
}
