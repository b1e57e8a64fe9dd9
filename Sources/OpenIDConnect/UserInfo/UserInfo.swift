public import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a provider says about the person who is signed in: its word, about this very person.
///
/// Printed, it shows nothing of the person.
/// [OpenID Connect Core 1.0, 5.1](https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims).
public struct UserInfo: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The provider's name for the person, the same as in the ID token.
    ///
    /// Wire: `sub`.
    public let subject: String
    /// All claims by their wire names, `sub` among them.
    public let claims: [String: JSONValue]

    /// The name that the person is called by.
    ///
    /// Wire: `name`.
    public var name: String? { claims["name"]?.string }
    /// The e-mail address; whether it is the person's, `email_verified` tells.
    ///
    /// Wire: `email`.
    public var email: String? { claims["email"]?.string }
    /// Whether the provider has made sure that the address is the person's; nil where it does not say.
    ///
    /// Wire: `email_verified`.
    public var isEmailVerified: Bool? { claims["email_verified"]?.boolean }
    /// The telephone number.
    ///
    /// Wire: `phone_number`.
    public var phoneNumber: String? { claims["phone_number"]?.string }

    /// Nothing of the person.
    public var description: String { "UserInfo(<redacted>)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
