extension InProcessProvider {
    /// One of a provider's endpoints.
    public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
        /// Its name in the specifications.
        public let description: String
        /// Its path, behind the issuer's.
        public let path: String

        /// Where the provider says what it is.
        public static let discovery = Endpoint(
            description: "discovery",
            path: "/.well-known/openid-configuration"
        )
        /// Where the keys are.
        public static let jwks = Endpoint(description: "jwks", path: "/jwks")
        /// Where the browser signs the person in.
        public static let authorization = Endpoint(description: "authorization", path: "/authorize")
        /// Where grants become tokens.
        public static let token = Endpoint(description: "token", path: "/token")
        /// Who the person is.
        public static let userInfo = Endpoint(description: "userinfo", path: "/userinfo")
        /// Where tokens are revoked.
        public static let revocation = Endpoint(description: "revocation", path: "/revoke")
        /// Where the browser signs the person out.
        public static let endSession = Endpoint(description: "end session", path: "/end-session")
        /// Where a device asks for its codes.
        public static let deviceAuthorization = Endpoint(
            description: "device authorization",
            path: "/device-authorization"
        )
        /// Where authorization requests are pushed.
        public static let pushedAuthorizationRequest = Endpoint(
            description: "pushed authorization request",
            path: "/par"
        )
        /// Where clients register themselves.
        public static let registration = Endpoint(description: "registration", path: "/register")
        /// All below `/api`: what an app calls with its access token.
        public static let api = Endpoint(description: "api", path: "/api")

        static let all = [
            discovery, jwks, authorization, token, userInfo, revocation, endSession, deviceAuthorization,
            pushedAuthorizationRequest, registration,
        ]
    }
}
