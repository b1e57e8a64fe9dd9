// SPDX-License-Identifier: Apache-2.0

extension InProcessProvider {
    /// One of a provider's endpoints.
    public enum Endpoint: String, Sendable, Hashable {
        /// The discovery document with the provider's metadata.
        case discovery = "/.well-known/openid-configuration"
        /// The published key set.
        case jwks = "/jwks"
        /// The authorization endpoint, at which the browser signs the user in.
        case authorization = "/authorize"
        /// The token endpoint, which exchanges grants for tokens.
        case token = "/token"
        /// The userinfo endpoint, which returns the user's claims.
        case userInfo = "/userinfo"
        /// The revocation endpoint.
        case revocation = "/revoke"
        /// The end-session endpoint, at which the browser signs the user out.
        case endSession = "/end-session"
        /// The device authorization endpoint, which issues a device's codes.
        case deviceAuthorization = "/device-authorization"
        /// The endpoint for pushed authorization requests.
        case pushedAuthorizationRequest = "/par"
        /// The endpoint at which clients register themselves.
        case registration = "/register"
        /// The protected resources: all paths below `/api`.
        case api = "/api"

        /// The endpoint's path, after the issuer's path.
        public var path: String { rawValue }
    }
}
