#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a JWT says, unverified.
///
/// Values are read out of the token when they are asked for: keep what is needed often. Two sets of claims are equal
/// where their texts are the same, byte for byte. Names are compared byte for byte too, as RFC 7519, 7.3 asks; what is
/// done with the values is the caller's: compare their `utf8` where it decides something, for `==` takes two spellings
/// of one character for the same.
/// [RFC 7519, 4](https://www.rfc-editor.org/rfc/rfc7519#section-4).
public struct UnverifiedClaims: Sendable, Hashable {
    private let members: RegisteredMembers

    init(_ members: RegisteredMembers) {
        self.members = members
    }

    /// Who issued it.
    ///
    /// That a value with a colon is a URI (RFC 7519, 2) is not checked, here and in `sub` and `aud`.
    ///
    /// Wire: `iss`. [RFC 7519, 4.1.1](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.1).
    public var issuer: String? { members.string(members.iss) }
    /// Whom it is about.
    ///
    /// Wire: `sub`. [RFC 7519, 4.1.2](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.2).
    public var subject: String? { members.string(members.sub) }
    /// Whom it is for; empty where it does not say.
    ///
    /// Wire: `aud`, one string or a list. [RFC 7519, 4.1.3](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3).
    public var audience: [String] { members.list(members.aud) }
    /// When it ends, by the issuer's clock; nil where it does not say.
    ///
    /// Wire: `exp`. [RFC 7519, 4.1.4](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4).
    public var expiration: Date? { members.numericDate(members.exp) }
    /// Before when it is not to be taken.
    ///
    /// Wire: `nbf`. [RFC 7519, 4.1.5](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.5).
    public var notBefore: Date? { members.numericDate(members.nbf) }
    /// When it was issued.
    ///
    /// Wire: `iat`. [RFC 7519, 4.1.6](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.6).
    public var issuedAt: Date? { members.numericDate(members.iat) }
    /// Its own name.
    ///
    /// Wire: `jti`. [RFC 7519, 4.1.7](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.7).
    public var jwtID: String? { members.string(members.jti) }
    /// All claims by their wire names, unknown ones too.
    ///
    /// Read anew with every call.
    public var all: [String: JSONValue] { members.object.members }

    /// One claim by its wire name.
    ///
    /// - Parameter name: `email`, say.
    /// - Returns: The value; nil where there is no such claim.
    public subscript(name: String) -> JSONValue? { members.object[name] }

    /// The claims as a type of the caller's.
    ///
    /// Unverified. A `Date` is read from seconds since 1970, as a `NumericDate` is written
    /// ([RFC 7519, 2](https://www.rfc-editor.org/rfc/rfc7519#section-2)).
    ///
    /// - Parameter type: What to read; its coding keys are the wire names.
    /// - Returns: The value.
    /// - Throws: ``JWTDecodingError`` (`claimsMismatch`) where the claims have another shape.
    public func decode<Claims: Decodable>(as type: Claims.Type = Claims.self) throws(JWTDecodingError) -> Claims {
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            return try decoder.decode(type, from: Data(members.object.text))
        } catch {
            throw JWTDecodingError(.claimsMismatch, in: .payload)
        }
    }

    /// How long the token says it lives: from `iat` to `exp`, as if this device's clock were the server's.
    ///
    /// A claim that the token has not is nil there. Unverified.
    public var lifetime: TokenLifetime { lifetime(offset: .zero) }

    /// How long the token says it lives, by this device's clock.
    ///
    /// - Parameter offset: How far the server's clock is ahead.
    /// - Returns: From `iat` to `exp`, moved by the offset.
    public func lifetime(offset: ClockOffset) -> TokenLifetime {
        TokenLifetime(
            issuedAt: issuedAt.map(offset.deviceTime),
            expiresAt: expiration.map(offset.deviceTime)
        )
    }
}

extension UnverifiedClaims: CustomStringConvertible, CustomReflectable {
    /// The type alone: what a token says is about a person, and not for logs.
    public var description: String { "UnverifiedClaims" }

    /// A mirror without children, so that `dump` shows nothing of the claims.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
