// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The claims of a JWT, unverified.
///
/// Two sets of claims are equal if their texts are the same, byte for byte. Names are compared byte for byte too, as
/// RFC 7519, 7.3 requires. If a decision depends on a value, compare its `utf8`: `==` treats two spellings of one
/// character as equal.
/// [RFC 7519, 4](https://www.rfc-editor.org/rfc/rfc7519#section-4).
public struct UnverifiedClaims: Sendable, Hashable {
    private let members: RegisteredMembers

    init(_ members: RegisteredMembers) {
        self.members = members
    }

    /// The issuer of the token.
    ///
    /// For this claim, `sub` and `aud`, the decoder does not check that a value with a colon is a URI (RFC 7519, 2).
    ///
    /// Wire: `iss`. [RFC 7519, 4.1.1](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.1).
    public var issuer: String? { members.values["iss"]?.string }
    /// The subject of the token.
    ///
    /// Wire: `sub`. [RFC 7519, 4.1.2](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.2).
    public var subject: String? { members.values["sub"]?.string }
    /// The intended recipients; empty if the token does not say.
    ///
    /// Wire: `aud`, one string or a list. [RFC 7519, 4.1.3](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3).
    public var audience: [String] { members.list("aud") }
    /// The moment when the token ends, by the issuer's clock; nil if the token does not say.
    ///
    /// Wire: `exp`. [RFC 7519, 4.1.4](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4).
    public var expiration: Date? { date("exp") }
    /// The moment before which the token must not be accepted.
    ///
    /// Wire: `nbf`. [RFC 7519, 4.1.5](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.5).
    public var notBefore: Date? { date("nbf") }
    /// The moment when the token was issued.
    ///
    /// Wire: `iat`. [RFC 7519, 4.1.6](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.6).
    public var issuedAt: Date? { date("iat") }
    /// All claims by their wire names, including unknown ones.
    public var all: [String: JSONValue] { members.values }

    /// Returns one claim by its wire name.
    ///
    /// - Parameter name: The wire name, such as `email`.
    /// - Returns: The value; nil if there is no such claim.
    public subscript(name: String) -> JSONValue? { members.values[exactly: name] }

    /// Decodes the claims as the caller's type.
    ///
    /// Unverified. A `Date` is decoded from seconds since 1970, the format of a `NumericDate`
    /// ([RFC 7519, 2](https://www.rfc-editor.org/rfc/rfc7519#section-2)).
    ///
    /// - Parameter type: The type to decode; its coding keys are the wire names.
    /// - Returns: The value.
    /// - Throws: ``JWTDecodingError`` (`claimsMismatch`) if the claims have another shape.
    public func decode<Claims: Decodable>(as type: Claims.Type = Claims.self) throws(JWTDecodingError) -> Claims {
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            return try decoder.decode(type, from: Data(members.text))
        } catch {
            throw JWTDecodingError(.claimsMismatch)
        }
    }

    private func date(_ name: String) -> Date? {
        members.values[name]?.number.map { Date(timeIntervalSince1970: $0) }
    }

    /// Returns the lifetime that the token claims, from `iat` to `exp`, by this device's clock.
    ///
    /// A moment is nil if its claim is missing. Unverified.
    ///
    /// - Parameter offset: The offset of the server's clock.
    public func lifetime(offset: ClockOffset = .zero) -> TokenLifetime {
        TokenLifetime(issuedAt: issuedAt.map(offset.deviceTime), expiresAt: expiration.map(offset.deviceTime))
    }
}

/// A token's contents describe a user and don't belong in logs.
extension UnverifiedClaims: Redacted {}

extension TokenLifetime {
    /// Creates the lifetime of a token that the server has just issued, from the token's own claims.
    ///
    /// Uses the span from `iat` to `exp` and not the dates, so that a wrong clock of this device does no harm. Without
    /// `iat`, converts `exp` from the server's clock.
    ///
    /// - Parameters:
    ///   - claims: The new token's claims. Unverified.
    ///   - requestStart: The moment when the request for the token was sent.
    ///   - offset: The offset of the server's clock from this device's, learned from the response's `Date`.
    public init(claims: UnverifiedClaims, from requestStart: Date, offset: ClockOffset = .zero) {
        if let begin = claims.issuedAt, let end = claims.expiration {
            self.init(seconds: end.timeIntervalSince(begin).rounded(.down), from: requestStart)
        } else {
            self.init(issuedAt: requestStart, expiresAt: claims.expiration.map(offset.deviceTime(of:)))
        }
    }
}
