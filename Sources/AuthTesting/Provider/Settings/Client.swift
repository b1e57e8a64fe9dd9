// SPDX-License-Identifier: Apache-2.0

extension InProcessProvider {
    /// A client that is registered at a provider.
    ///
    /// It may use every grant type, and any port of a loopback redirect URI. After a sign-out the browser may return to
    /// the same redirect URIs.
    public struct Client: Sendable, Hashable {
        /// The methods of client authentication at the token endpoint.
        ///
        /// The provider accepts only the method that the client is registered with.
        public enum Authentication: String, Sendable, Hashable, CaseIterable {
            /// The client sends only its ID: a public client.
            case none
            /// Wire: `client_secret_basic`.
            case basic = "client_secret_basic"
            /// Wire: `client_secret_post`.
            case post = "client_secret_post"
            /// Wire: `private_key_jwt`.
            case privateKeyJWT = "private_key_jwt"
        }

        /// The verifier of a client's assertions.
        enum Assertion: Sendable, Hashable {
            /// The client signs its own with this P-256 key; here the public one, in PEM.
            case signed(publicKey: String)
            /// The client sends tokens of a trusted issuer for this subject.
            case issued(issuer: String, subject: String)
        }

        /// The client ID; empty for programs that send none.
        public var id: String
        /// The client secret; nil for a client without one.
        public var secret: String?
        /// The algorithm of the client's userinfo responses; nil for plain JSON.
        public var userInfoAlgorithm: SigningAlgorithm?
        /// Whether the client gets tokens only with a DPoP proof.
        ///
        /// Wire: `dpop_bound_access_tokens`.
        public var requiresDPoP = false
        /// The APIs that the client may exchange its access tokens for, or refresh a sign-in's tokens for.
        ///
        /// Wire: `audience`, `resource`. [RFC 8693, 2.1](https://www.rfc-editor.org/rfc/rfc8693#section-2.1).
        public var exchangeAudiences: Set<String> = []

        let authentication: Authentication
        let redirectURIs: [String]
        var assertion: Assertion?
        var postLogoutRedirectURIs: [String]
        var grantTypes = Set(GrantType.allCases)
        /// The algorithm of the client's ID tokens; nil for the provider's first algorithm.
        var idTokenAlgorithm: SigningAlgorithm?

        /// The redirect URIs of a native app on the loopback interface.
        public static let loopbackRedirectURIs = [
            "http://127.0.0.1/callback", "http://[::1]/callback", "http://localhost/callback",
        ]

        private init(_ id: String, _ secret: String?, _ authentication: Authentication, _ redirectURIs: [String]) {
            self.id = id
            self.secret = secret
            self.authentication = authentication
            self.redirectURIs = redirectURIs
            postLogoutRedirectURIs = redirectURIs
        }

        private init(_ id: String, _ assertion: Assertion, _ redirectURIs: [String]) {
            self.init(id, nil, .privateKeyJWT, redirectURIs)
            self.assertion = assertion
        }

        /// Creates a client without a secret, such as an app.
        public static func `public`(
            id: String,
            redirectURIs: [String] = loopbackRedirectURIs + ["recipe://callback"]
        ) -> Client {
            Client(id, nil, .none, redirectURIs)
        }

        /// Creates a client with a secret.
        public static func confidential(
            id: String,
            secret: String,
            authentication: Authentication = .basic,
            redirectURIs: [String] = loopbackRedirectURIs
        ) -> Client {
            Client(id, secret, authentication, redirectURIs)
        }

        /// Creates a client that signs its assertions with a private key.
        ///
        /// - Parameter publicKey: The public P-256 key, in PEM.
        public static func confidential(
            id: String,
            publicKey: String,
            redirectURIs: [String] = loopbackRedirectURIs
        ) -> Client {
            Client(id, .signed(publicKey: publicKey), redirectURIs)
        }

        /// Creates a client that authenticates with the identity tokens of another program.
        ///
        /// - Parameters:
        ///   - issuer: The tokens' `iss`, one of ``InProcessProvider/Configuration/trustedIssuers``.
        ///   - subject: The tokens' `sub`.
        public static func confidential(
            id: String,
            issuer: String,
            subject: String,
            redirectURIs: [String] = loopbackRedirectURIs
        ) -> Client {
            Client(id, .issued(issuer: issuer, subject: subject), redirectURIs)
        }

        /// Whether a URI is registered.
        ///
        /// Compares text, but ignores the port of a loopback address:
        /// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
        static func isRegistered(_ uri: String, among registered: [String]) -> Bool {
            if registered.contains(where: { $0.utf8.elementsEqual(uri.utf8) }) { return true }
            guard let address = LoopbackURI(uri) else { return false }
            return registered.contains { LoopbackURI($0).map { $0 == address } ?? false }
        }

        func checkGrant(_ type: GrantType) throws(EndpointError) {
            guard grantTypes.contains(type) else { throw .unauthorizedClient }
        }
    }
}

/// The grant types of a provider, by their wire names.
enum GrantType: String, Sendable, CaseIterable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    case clientCredentials = "client_credentials"
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
}
