public import AuthCore

extension InProcessProvider {
    /// What a provider is, and what it insists on.
    ///
    /// May be changed at any time; what was issued before stays as it was issued.
    public struct Configuration: Sendable {
        /// The clients it knows from the beginning.
        public var clients: [Client] = [.public(id: "native")]
        /// Who signs in when a browser comes, at once and without a question.
        ///
        /// Nil for a person who refuses: `access_denied`, or `login_required` where nobody may be asked.
        public var person: Person? = Person()
        /// With what tokens are signed; the first one unless the client has another.
        ///
        /// A key each is made at the start and by ``InProcessProvider/rotateKeys(keepingOld:)``. RSA keys take long.
        public var signingAlgorithms: [SigningAlgorithm] = [.es256]
        /// The scopes that can be granted.
        public var scope: Scope = "openid profile email offline_access"

        /// How access tokens are written.
        public var accessTokenFormat = AccessTokenFormat.opaque
        /// How long an access token is good.
        public var accessTokenLifetime = Duration.seconds(300)
        /// How long an ID token is good.
        public var idTokenLifetime = Duration.seconds(300)
        /// How long a refresh token is good, from its issue.
        public var refreshTokenLifetime = Duration.seconds(30 * 86_400)
        /// How long an authorization code is good.
        public var codeLifetime = Duration.seconds(60)
        /// How long a pushed authorization request is good.
        public var pushedRequestLifetime = Duration.seconds(60)

        /// Whether a refresh replaces the refresh token.
        public var rotatesRefreshTokens = true
        /// How long a refresh token that was replaced last still gets the answer that replaced it.
        ///
        /// Shown later it ends all that grew out of its sign-in.
        public var graceWindow = Duration.seconds(10)

        /// How long a device code is good.
        public var deviceCodeLifetime = Duration.seconds(600)
        /// How long a device must wait between two polls.
        public var deviceInterval = Duration.seconds(5)

        /// Whether only pushed authorization requests are taken.
        public var requiresPushedAuthorizationRequests = false
        /// Whether a DPoP proof must carry the provider's nonce.
        public var requiresDPoPNonce = false
        /// How old or how far ahead a DPoP proof may be.
        public var dpopProofLifetime = Duration.seconds(60)
        /// Whether the ID token says of the person what the scope allows, and not userinfo alone.
        public var tellsClaimsInIDToken = false

        /// The default: one public client named `native`, one person, ES256.
        public init() {}
    }

    /// How access tokens are written.
    public enum AccessTokenFormat: Sendable {
        /// Random characters.
        case opaque
        /// A signed JWT of type `at+jwt`, [RFC 9068](https://www.rfc-editor.org/rfc/rfc9068).
        case jwt
    }
}
