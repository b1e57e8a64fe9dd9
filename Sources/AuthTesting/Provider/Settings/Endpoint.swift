// SPDX-License-Identifier: Apache-2.0

extension InProcessProvider {
    /// One of a provider's endpoints.
    public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
        /// The endpoint's name in the specifications.
        public let description: String
        /// The endpoint's path, after the issuer's path.
        public let path: String

        /// The discovery document with the provider's metadata.
        public static let discovery = Endpoint(
            description: "discovery",
            path: "/.well-known/openid-configuration"
        )
        /// The published key set.
        public static let jwks = Endpoint(description: "jwks", path: "/jwks")
        /// The authorization endpoint, at which the browser signs the user in.
        public static let authorization = Endpoint(description: "authorization", path: "/authorize")
        /// The token endpoint, which exchanges grants for tokens.
        public static let token = Endpoint(description: "token", path: "/token")
        /// The userinfo endpoint, which returns the user's claims.
        public static let userInfo = Endpoint(description: "userinfo", path: "/userinfo")
        /// The revocation endpoint.
        public static let revocation = Endpoint(description: "revocation", path: "/revoke")
        /// The end-session endpoint, at which the browser signs the user out.
        public static let endSession = Endpoint(description: "end session", path: "/end-session")
        /// The device authorization endpoint, which issues a device's codes.
        public static let deviceAuthorization = Endpoint(
            description: "device authorization",
            path: "/device-authorization"
        )
        /// The endpoint for pushed authorization requests.
        public static let pushedAuthorizationRequest = Endpoint(
            description: "pushed authorization request",
            path: "/par"
        )
        /// The endpoint at which clients register themselves.
        public static let registration = Endpoint(description: "registration", path: "/register")
        /// The protected resources: all paths below `/api`.
        public static let api = Endpoint(description: "api", path: "/api")

        static let all = [
            discovery, jwks, authorization, token, userInfo, revocation, endSession, deviceAuthorization,
            pushedAuthorizationRequest, registration,
        ]
    }
}
