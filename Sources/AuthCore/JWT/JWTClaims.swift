#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a JWT says, unverified.
///
/// [RFC 7519, 4](https://www.rfc-editor.org/rfc/rfc7519#section-4).
public struct JWTClaims: Sendable, Hashable {
    /// Who issued it.
    ///
    /// Wire: `iss`.
    public let issuer: String?
    /// Whom it is about.
    ///
    /// Wire: `sub`.
    public let subject: String?
    /// Whom it is for; empty where it does not say.
    ///
    /// Wire: `aud`, one string or a list.
    public let audience: [String]
    /// When it ends.
    ///
    /// Wire: `exp`.
    public let expiration: Date?
    /// Before when it is not to be taken.
    ///
    /// Wire: `nbf`.
    public let notBefore: Date?
    /// When it was issued.
    ///
    /// Wire: `iat`.
    public let issuedAt: Date?
    /// Its own name.
    ///
    /// Wire: `jti`.
    public let jwtID: String?
    /// All claims by their wire names, unknown ones too.
    public let all: [String: JSONValue]

    init(members: [String: JSONValue]) throws(JWTDecodingError) {
        let reader = MemberReader(members: members, part: .payload)
        issuer = try reader.string("iss")
        subject = try reader.string("sub")
        if case .string(let one)? = members["aud"] {
            audience = [one]
        } else {
            audience = try reader.strings("aud") ?? []
        }
        expiration = try reader.numericDate("exp")
        notBefore = try reader.numericDate("nbf")
        issuedAt = try reader.numericDate("iat")
        jwtID = try reader.string("jti")
        all = members
    }

    /// One claim by its wire name.
    ///
    /// - Parameter name: `email`, say.
    public subscript(name: String) -> JSONValue? { all[name] }

    /// The claims as a type of the caller's.
    ///
    /// - Parameter type: What to read; its coding keys are the wire names.
    /// - Returns: The value.
    /// - Throws: ``JWTDecodingError`` (`claimsMismatch`) where the claims have another shape.
    public func decode<Claims: Decodable>(as type: Claims.Type = Claims.self) throws(JWTDecodingError) -> Claims {
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            return try decoder.decode(type, from: JSONEncoder().encode(JSONValue.object(all)))
        } catch {
            throw JWTDecodingError(.claimsMismatch, in: .payload)
        }
    }

    /// How long the token says it lives: from `iat` to `exp`.
    public var lifetime: TokenLifetime {
        TokenLifetime(issuedAt: issuedAt, expiresAt: expiration)
    }
}
