// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A JWT that was decoded and *not* verified: its contents are not authenticated.
///
/// Its signature was not checked. Use it to show a token's contents, and to read the expiry of a token that this client
/// itself received. Never authenticate a user with it. [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519).
public struct UnverifiedJWT: Sendable {
    /// The JOSE header.
    public let header: JOSEHeader
    /// The claims: typed if registered, and all by name.
    public let claims: UnverifiedClaims

    /// Decodes a token in the compact form.
    ///
    /// Checks the header and the claims completely, and that the signature is base64url, but not the signature itself.
    /// [RFC 7515, 7.1](https://www.rfc-editor.org/rfc/rfc7515#section-7.1),
    /// [RFC 7519, 7.2](https://www.rfc-editor.org/rfc/rfc7519#section-7.2).
    ///
    /// - Parameters:
    ///   - compact: Three base64url parts separated by dots. Untrusted; secret while the token is valid.
    ///   - limits: The limits on its size.
    /// - Throws: ``JWTDecodingError`` (`tooLong`, `notThreeParts`, `encrypted`; `invalidBase64URL` in any part;
    ///   `invalidUTF8`, `invalidJSON`, `notAnObject`, `duplicateMember`, `tooDeep`, `invalidMember` in the header or
    ///   the payload; `missingAlgorithm` in the header).
    public init(_ compact: String, limits: JWTLimits = .standard) throws(JWTDecodingError) {
        let parts = try CompactSerialization(compact, limits: limits)
        let (bytes, border) = (parts.bytes, parts.headerCount)
        var scanner = JSONScanner(maximumDepth: limits.depth)
        // RFC 7519, 7.2: the header by steps 2 to 5, the claims by steps 7 and 10. This type does not verify the
        // signature.
        header = try JOSEHeader(RegisteredMembers(bytes, in: 0..<border, of: .header, with: &scanner))
        claims = UnverifiedClaims(try RegisteredMembers(bytes, in: border..<bytes.count, of: .payload, with: &scanner))
    }

    /// Decodes an ID token, within the standard limits.
    ///
    /// - Parameter idToken: The token as received. Secret.
    /// - Throws: ``JWTDecodingError``, with the codes of ``init(_:limits:)``.
    public init(_ idToken: IDToken) throws(JWTDecodingError) {
        try self.init(idToken.unredacted)
    }

    /// Returns the end of a token, read from its payload only.
    ///
    /// Unverified. Faster than decoding the whole token. The payload is checked completely, but among the registered
    /// claims only `exp` must have its type. The header and the signature only have to be present. So the method may
    /// succeed for a text that ``init(_:limits:)`` refuses.
    ///
    /// - Parameters:
    ///   - compact: Three parts separated by dots. Untrusted; secret while the token is valid.
    ///   - limits: The limits on its size.
    /// - Returns: The claim `exp`, by the server's clock; nil if the token has no such claim.
    /// - Throws: ``JWTDecodingError`` (`tooLong`, `notThreeParts`, `encrypted`; of the payload `invalidBase64URL`,
    ///   `invalidUTF8`, `invalidJSON`, `notAnObject`, `duplicateMember`, `tooDeep`; `invalidMember` for `exp`).
    ///
    /// Wire: `exp`. [RFC 7519, 4.1.4](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4).
    public static func expiration(
        of compact: String,
        limits: JWTLimits = .standard
    ) throws(JWTDecodingError) -> Date? {
        let payload = try CompactSerialization.payload(of: compact, limits: limits)
        var scanner = JSONScanner(maximumDepth: limits.depth)
        let members = try RegisteredMembers(
            payload,
            in: 0..<payload.count,
            of: .payload,
            checking: { $0 == .exp },
            with: &scanner
        )
        return members.numericDate(members.exp)
    }

    /// Returns the end of an access token that is a JWT, read from its payload only.
    ///
    /// The standard limits apply.
    ///
    /// - Parameter accessToken: The token as received. Secret.
    /// - Returns: The claim `exp`, by the server's clock; nil if the token has no such claim. Unverified.
    /// - Throws: ``JWTDecodingError``, with the codes of ``expiration(of:limits:)``: many access tokens are not JWTs.
    public static func expiration(of accessToken: AccessToken) throws(JWTDecodingError) -> Date? {
        try expiration(of: accessToken.unredacted)
    }
}

extension UnverifiedJWT: Redacted {
    /// The type's name only: a token's contents describe a user and don't belong in logs.
    public var description: String { "UnverifiedJWT" }
}
