extension APIError {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case unauthorized
            case forbidden
            case refused
            case rateLimited
            case serverFailed
            case redirected
            case unreadableAnswer
            case unreachable
            case invalidEndpoint
            case insufficientScope
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

        /// 401, also with a new token where one was to be had.
        ///
        /// The session is not ended by it.
        public static let unauthorized = Code(value: .unauthorized)
        /// 403: the person may not do this.
        ///
        /// A new token would not help.
        public static let forbidden = Code(value: .forbidden)
        /// Another 4xx: the server refuses this request as it is.
        public static let refused = Code(value: .refused)
        /// 429: too many requests.
        ///
        /// ``APIError/retryAfter`` says when to come again, where the server did.
        public static let rateLimited = Code(value: .rateLimited)
        /// 5xx: the server failed.
        ///
        /// Trying later may help.
        public static let serverFailed = Code(value: .serverFailed)
        /// 3xx: a redirect that the ``RedirectPolicy`` does not follow, or one that does not say where to.
        public static let redirected = Code(value: .redirected)
        /// The answer is not what the endpoint promises: no JSON, a member is missing, or it is far too long.
        public static let unreadableAnswer = Code(value: .unreadableAnswer)
        /// No answer came; ``APIError/underlying`` is the ``TransportError``.
        public static let unreachable = Code(value: .unreachable)
        /// The endpoint's path is none that may be sent.
        public static let invalidEndpoint = Code(value: .invalidEndpoint)

        /// 401 or 403 with `insufficient_scope`: the token is good and allows too little.
        ///
        /// ``APIError/requiredScope`` says what is missing, where the server did. A new token of the same sign-in would
        /// not help. [RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
        public static let insufficientScope = Code(value: .insufficientScope)
        /// 401 with `use_dpop_nonce`: the server wants a proof of possession with its nonce.
        ///
        /// The token is good. [RFC 9449, 9](https://www.rfc-editor.org/rfc/rfc9449#section-9).
        public static let dpopNonceRequired = Code(value: .dpopNonceRequired)
        /// The access token is bound to a key, and its source gives no proof of possession: it is not the session itself.
        ///
        /// Nothing was sent. [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
        public static let proofUnavailable = Code(value: .proofUnavailable)
        /// The request would have to be sent again and its body can't be: after a 401, or a 307 or 308.
        ///
        /// ``APIError/status`` says which; there is none where the body was used up before the call. Call again with a new
        /// body.
        public static let bodyNotRepeatable = Code(value: .bodyNotRepeatable)
        /// More redirects in a row than the ``RedirectPolicy`` follows: a circle, as a rule.
        public static let tooManyRedirects = Code(value: .tooManyRedirects)
        /// A redirect to plain http, with a user in its address, or with one that can't be read.
        public static let unsafeRedirect = Code(value: .unsafeRedirect)
        /// The call would carry credentials to an origin that the client was not made for.
        ///
        /// Nothing was sent.
        public static let originNotAllowed = Code(value: .originNotAllowed)
        /// The call's time was over while it waited for a token, or before it could be sent again.
        public static let timedOut = Code(value: .timedOut)
        /// The request can't be sent as it is: a header field has characters that HTTP forbids, or is one
        /// that the transport writes itself, as `Host` and `Content-Length` are.
        ///
        /// Nothing was sent.
        public static let invalidRequest = Code(value: .invalidRequest)
        /// The request's body could not be produced: its file can't be read, or it is not as long as was promised.
        ///
        /// ``APIError/underlying`` is the ``TransportError``, whose own one says why.
        public static let bodyFailed = Code(value: .bodyFailed)

        /// The code's name.
        public var description: String { value.rawValue }
    }
}
