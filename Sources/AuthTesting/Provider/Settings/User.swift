// SPDX-License-Identifier: Apache-2.0

public import AuthCore

extension InProcessProvider {
    /// A user of a provider.
    public struct User: Sendable, Hashable {
        /// The provider's identifier of the user.
        ///
        /// Wire: `sub`.
        public var subject: String
        /// The name, disclosed with the scope `profile`.
        public var name: String?
        /// The email address, disclosed with the scope `email`.
        public var email: String?
        /// Whether the email address was verified; disclosed with it.
        public var isEmailVerified: Bool
        /// The other claims, disclosed with every scope.
        public var claims: [String: JSONValue]

        /// Creates a user.
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

        /// Returns the claims that a scope allows, and those that were requested by name.
        ///
        /// [OpenID Connect Core 1.0, 5.4](https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims).
        func claims(for scope: Scope, and names: Set<String>) -> [String: JSONValue] {
            var disclosed = claims
            disclosed["sub"] = .string(subject)
            if let name, scope.contains("profile") || names.contains("name") { disclosed["name"] = .string(name) }
            guard let email else { return disclosed }
            if scope.contains("email") || names.contains("email") { disclosed["email"] = .string(email) }
            if scope.contains("email") || names.contains("email_verified") {
                disclosed["email_verified"] = .boolean(isEmailVerified)
            }
            return disclosed
        }
    }
}
