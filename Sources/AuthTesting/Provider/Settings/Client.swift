extension InProcessProvider {
    /// A client as a provider knows it.
    public struct Client: Sendable, Hashable {
        /// How a client says who it is at the token endpoint; no other way is taken from it.
        public enum Authentication: String, Sendable, Hashable, CaseIterable {
            /// By its ID alone: a public client.
            case none
            /// Wire: `client_secret_basic`.
            case basic = "client_secret_basic"
            /// Wire: `client_secret_post`.
            case post = "client_secret_post"
        }

        /// The client ID.
        public var id: String
        /// The client secret; nil for a public client.
        public var secret: String?
        /// How it says who it is.
        public var authentication: Authentication
        /// Where its callbacks may go; a loopback address is taken with any port.
        public var redirectURIs: [String]
        /// Where a browser may go after the sign-out; a loopback address is taken with any port.
        public var postLogoutRedirectURIs: [String]
        /// What it may ask tokens with.
        public var grantTypes: Set<String>
        /// What its ID tokens are signed with; nil for the provider's first algorithm.
        public var idTokenAlgorithm: SigningAlgorithm?
        /// What its userinfo answers are signed with; nil for plain JSON.
        public var userInfoAlgorithm: SigningAlgorithm?
        /// Whether it gets tokens with a DPoP proof alone.
        ///
        /// Wire: `dpop_bound_access_tokens`.
        public var requiresDPoP = false

        /// Addresses of a native app on the loopback interface.
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

        /// A client without a secret, as an app is one.
        ///
        /// - Parameters:
        ///   - id: The client ID.
        ///   - redirectURIs: Where its callbacks may go, also after a sign-out.
        /// - Returns: The client, which may use every grant type.
        public static func `public`(
            id: String,
            redirectURIs: [String] = loopbackRedirectURIs + ["recipe://callback"]
        ) -> Client {
            Client(id: id, secret: nil, authentication: .none, redirectURIs: redirectURIs)
        }

        /// A client with a secret.
        ///
        /// - Parameters:
        ///   - id: The client ID.
        ///   - secret: The client secret.
        ///   - authentication: How it shows the secret.
        ///   - redirectURIs: Where its callbacks may go, also after a sign-out.
        /// - Returns: The client, which may use every grant type.
        public static func confidential(
            id: String,
            secret: String,
            authentication: Authentication = .basic,
            redirectURIs: [String] = loopbackRedirectURIs
        ) -> Client {
            Client(id: id, secret: secret, authentication: authentication, redirectURIs: redirectURIs)
        }

        /// Whether an address is one of those registered.
        ///
        /// Compared as text, but for the port of a loopback address:
        /// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
        static func isRegistered(_ uri: String, among registered: [String]) -> Bool {
            if registered.contains(where: { $0.utf8.elementsEqual(uri.utf8) }) { return true }
            guard let address = LoopbackURI(uri) else { return false }
            return registered.contains { LoopbackURI($0).map { $0 == address } ?? false }
        }
    }
}
