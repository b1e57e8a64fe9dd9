// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A provider's claims about the signed-in user.
///
/// The subject was compared with the session's user, if known. The other claims are as trusted as the provider. A
/// printed value shows no claims.
/// [OpenID Connect Core 1.0, 5.1](https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims).
public struct UserInfo: Sendable, Hashable, Redacted {
    /// The provider's identifier of the user, the same as in the ID token.
    ///
    /// Wire: `sub`.
    public let subject: String
    /// The claims by their wire names, including `sub`.
    public let claims: [String: JSONValue]

    /// The user's full name.
    ///
    /// Wire: `name`.
    public var name: String? { claims["name"]?.string }
    /// The email address, which belongs to the user only if `email_verified` is true.
    ///
    /// Wire: `email`.
    public var email: String? { claims["email"]?.string }
    /// Whether the provider verified that the address belongs to the user; nil if unknown.
    ///
    /// Wire: `email_verified`.
    public var isEmailVerified: Bool? { claims["email_verified"]?.boolean }
    /// The user's telephone number.
    ///
    /// Wire: `phone_number`.
    public var phoneNumber: String? { claims["phone_number"]?.string }
}
