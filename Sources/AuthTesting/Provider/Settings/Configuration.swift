// SPDX-License-Identifier: Apache-2.0

public import AuthCore

extension InProcessProvider {
    /// The clients, user and rules of a provider.
    ///
    /// May be changed at any time. Tokens and codes that were issued before keep their properties.
    public struct Configuration: Sendable {
        /// The clients that are registered from the start.
        public var clients: [Client] = [.public(id: "native")]
        /// The user that signs in as soon as a browser arrives, without a prompt.
        ///
        /// Nil for a user that denies the request: `access_denied`, or `login_required` if `prompt` is `none`.
        public var user: User? = User()
        /// The algorithms of the signing keys; the first one is used unless the client has another.
        ///
        /// The provider creates a key for each at the start and in ``InProcessProvider/rotateKeys(keepingOld:)``. RSA
        /// keys take long.
        public var signingAlgorithms: [SigningAlgorithm] = [.es256]
        /// The scopes that can be granted.
        public var scope: Scope = "openid profile email offline_access"

        /// The public P-256 keys, in PEM, of those whose signed assertions and identity tokens the provider accepts.
        ///
        /// By the name that signs, the claim `iss`: another provider such as a Kubernetes cluster, or a service account.
        public var trustedIssuers: [String: String] = [:]

        /// The format of access tokens.
        public var accessTokenFormat = AccessTokenFormat.opaque
        /// The lifetime of an access token.
        public var accessTokenLifetime = Duration.seconds(300)
        /// The lifetime of an ID token.
        let idTokenLifetime = Duration.seconds(300)
        /// The lifetime of a refresh token, from its issue.
        public var refreshTokenLifetime = Duration.seconds(30 * 86_400)
        /// The lifetime of an authorization code.
        let codeLifetime = Duration.seconds(60)
        /// The lifetime of a pushed authorization request.
        let pushedRequestLifetime = Duration.seconds(60)

        /// Whether a refresh replaces the refresh token.
        public var rotatesRefreshTokens = true
        /// The time for which the last replaced refresh token still gets the response that replaced it.
        ///
        /// A later use of it ends its sign-in and revokes all of its tokens.
        public var graceWindow = Duration.seconds(10)

        /// The lifetime of a device code.
        public var deviceCodeLifetime = Duration.seconds(600)
        /// The time that a device must wait between two polls.
        public var deviceInterval = Duration.seconds(5)

        /// Whether only pushed authorization requests are accepted.
        public var requiresPushedAuthorizationRequests = false
        /// Whether a DPoP proof must carry the provider's nonce.
        public var requiresDPoPNonce = false
        /// The most by which a DPoP proof may be old or ahead of time.
        let dpopProofLifetime = Duration.seconds(60)
        /// Whether the ID token contains the user's claims that the scope allows, as userinfo does.
        public var includesClaimsInIDToken = false

        /// Creates the default: one public client named `native`, one user, ES256.
        public init() {}
    }

    /// The formats of access tokens.
    public enum AccessTokenFormat: Sendable {
        /// An access token of random characters.
        case opaque
        /// A signed JWT of type `at+jwt`, [RFC 9068](https://www.rfc-editor.org/rfc/rfc9068).
        case jwt
    }

    /// The signing algorithms of a provider.
    ///
    /// [RFC 7518, 3.1](https://www.rfc-editor.org/rfc/rfc7518#section-3.1),
    /// [RFC 8037, 3.1](https://www.rfc-editor.org/rfc/rfc8037#section-3.1).
    public enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
        /// ECDSA with P-256 and SHA-256.
        case es256 = "ES256"
        /// ECDSA with P-384 and SHA-384.
        case es384 = "ES384"
        /// ECDSA with P-521 and SHA-512.
        case es512 = "ES512"
        /// RSASSA-PKCS1-v1_5 with SHA-256; its key takes long to create.
        case rs256 = "RS256"
        /// RSASSA-PSS with SHA-256; its key takes long to create.
        case ps256 = "PS256"
        /// Ed25519.
        case edDSA = "EdDSA"
    }
}
