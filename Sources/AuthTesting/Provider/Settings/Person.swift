public import AuthCore

extension InProcessProvider {
    /// Who signs in at a provider.
    public struct Person: Sendable, Hashable {
        /// Who this is, to the provider.
        ///
        /// Wire: `sub`.
        public var subject: String
        /// Told with the scope `profile`.
        public var name: String?
        /// Told with the scope `email`.
        public var email: String?
        /// Whether the address was verified; told with it.
        public var isEmailVerified: Bool
        /// Further claims, told whatever the scope.
        public var claims: [String: JSONValue]

        /// Makes a person.
        ///
        /// - Parameters:
        ///   - subject: Who this is, to the provider.
        ///   - name: Told with the scope `profile`.
        ///   - email: Told with the scope `email`.
        ///   - isEmailVerified: Whether the address was verified.
        ///   - claims: Further claims, told whatever the scope.
        public init(
            subject: String = "248289761001",
            name: String? = "Jane Doe",
            email: String? = "jane@example.com",
            isEmailVerified: Bool = true,
            claims: [String: JSONValue] = [:]
        ) {
            self.subject = subject
            self.name = name
            self.email = email
            self.isEmailVerified = isEmailVerified
            self.claims = claims
        }

        /// What a scope allows to be told, and what was asked for by name.
        ///
        /// [OpenID Connect Core 1.0, 5.4](https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims).
        func claims(for scope: Scope, and names: Set<String>) -> [String: JSONValue] {
            var told = claims
            told["sub"] = .string(subject)
            if let name, scope.contains("profile") || names.contains("name") { told["name"] = .string(name) }
            guard let email else { return told }
            if scope.contains("email") || names.contains("email") { told["email"] = .string(email) }
            if scope.contains("email") || names.contains("email_verified") {
                told["email_verified"] = .boolean(isEmailVerified)
            }
            return told
        }
    }
}
