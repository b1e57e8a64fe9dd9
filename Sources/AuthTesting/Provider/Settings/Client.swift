// SPDX-License-Identifier: Apache-2.0

extension InProcessProvider {
    /// A client that is registered at a provider.
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

        /// The identity of a program, in the tokens of an issuer that the provider trusts.
        public struct Identity: Sendable, Hashable {
            /// The issuer, one of ``InProcessProvider/Configuration/trustedIssuers``.
            ///
            /// Wire: `iss`.
            public var issuer: String
            /// The program's name there.
            ///
            /// Wire: `sub`.
            public var subject: String

            /// Creates an identity.
            ///
            /// - Parameters:
            ///   - issuer: The issuer of the tokens.
            ///   - subject: The program's name there.
            public init(issuer: String, subject: String) {
                self.issuer = issuer
                self.subject = subject
            }
        }

        /// The client ID; empty for programs that send none.
        public var id: String
        /// The client secret; nil for a client without one.
        public var secret: String?
        /// The public P-256 key that verifies the client's assertions, in PEM; nil for a client without one.
        public var assertionKey: String?
        /// The identity whose tokens the client sends as its assertions; nil for a client that signs its own.
        public var identity: Identity?
        /// The method of client authentication.
        public var authentication: Authentication
        /// The redirect URIs; a loopback address is accepted with any port.
        public var redirectURIs: [String]
        /// The redirect URIs after a sign-out; a loopback address is accepted with any port.
        public var postLogoutRedirectURIs: [String]
        /// The grant types that the client may use.
        public var grantTypes: Set<String>
        /// The algorithm of the client's ID tokens; nil for the provider's first algorithm.
        public var idTokenAlgorithm: SigningAlgorithm?
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

        /// The redirect URIs of a native app on the loopback interface.
        public static let loopbackRedirectURIs = [
            "http://127.0.0.1/callback", "http://[::1]/callback", "http://localhost/callback",
        ]

        private init(id: String, secret: String?, authentication: Authentication, redirectURIs: [String]) {
            self.id = id
            self.secret = secret
            self.authentication = authentication
            self.redirectURIs = redirectURIs
            postLogoutRedirectURIs = redirectURIs
            grantTypes = GrantType.all
        }

        /// Creates a client without a secret, such as an app.
        ///
        /// - Parameters:
        ///   - id: The client ID.
        ///   - redirectURIs: The redirect URIs, also used after a sign-out.
        /// - Returns: The client, which may use every grant type.
        public static func `public`(
            id: String,
            redirectURIs: [String] = loopbackRedirectURIs + ["recipe://callback"]
        ) -> Client {
            Client(id: id, secret: nil, authentication: .none, redirectURIs: redirectURIs)
        }

        /// Creates a client with a secret.
        ///
        /// - Parameters:
        ///   - id: The client ID.
        ///   - secret: The client secret.
        ///   - authentication: The method of client authentication.
        ///   - redirectURIs: The redirect URIs, also used after a sign-out.
        /// - Returns: The client, which may use every grant type.
        public static func confidential(
            id: String,
            secret: String,
            authentication: Authentication = .basic,
            redirectURIs: [String] = loopbackRedirectURIs
        ) -> Client {
            Client(id: id, secret: secret, authentication: authentication, redirectURIs: redirectURIs)
        }

        /// Creates a client with a private key.
        ///
        /// - Parameters:
        ///   - id: The client ID.
        ///   - publicKey: The public P-256 key, in PEM.
        ///   - redirectURIs: The redirect URIs, also used after a sign-out.
        /// - Returns: The client, which may use every grant type.
        public static func confidential(
            id: String,
            publicKey: String,
            redirectURIs: [String] = loopbackRedirectURIs
        ) -> Client {
            var client = Client(id: id, secret: nil, authentication: .privateKeyJWT, redirectURIs: redirectURIs)
            client.assertionKey = publicKey
            return client
        }

        /// Creates a client that authenticates with the identity tokens of another program.
        ///
        /// - Parameters:
        ///   - id: The client ID.
        ///   - identity: The program's identity in those tokens.
        ///   - redirectURIs: The redirect URIs, also used after a sign-out.
        /// - Returns: The client, which may use every grant type.
        public static func confidential(
            id: String,
            identity: Identity,
            redirectURIs: [String] = loopbackRedirectURIs
        ) -> Client {
            var client = Client(id: id, secret: nil, authentication: .privateKeyJWT, redirectURIs: redirectURIs)
            client.identity = identity
            return client
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
    }
}

/// The grant types of a provider, by their wire names.
enum GrantType {
    static let authorizationCode = "authorization_code"
    static let refreshToken = "refresh_token"
    static let deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    static let clientCredentials = "client_credentials"
    static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"

    static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    static let all: Set<String> = [
        authorizationCode, refreshToken, deviceCode, clientCredentials, tokenExchange, jwtBearer,
    ]
}
