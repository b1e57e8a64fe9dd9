#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A JWT that was read and *not* verified: nobody vouches for a word of it.
///
/// Its signature was not looked at. Good for showing what a token says and for reading the expiry of a token that this
/// client itself was given. Never decide who someone is from it. [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519).
public struct UnverifiedJWT: Sendable {
    /// The JOSE header.
    public let header: JOSEHeader
    /// The claims: registered ones typed, all by name.
    public let claims: UnverifiedClaims

    /// Reads a token in the compact form.
    ///
    /// Header and claims are checked whole; the signature is checked for being base64url and not looked at further.
    /// [RFC 7515, 7.1](https://www.rfc-editor.org/rfc/rfc7515#section-7.1),
    /// [RFC 7519, 7.2](https://www.rfc-editor.org/rfc/rfc7519#section-7.2).
    ///
    /// - Parameters:
    ///   - compact: Three base64url parts with a dot between. From outside; secret where the token is still good.
    ///   - limits: How large it may be.
    /// - Throws: ``JWTDecodingError`` (`tooLong`, `notThreeParts`, `encrypted`; `invalidBase64URL` in any part;
    ///   `invalidUTF8`, `invalidJSON`, `notAnObject`, `duplicateMember`, `tooDeep`, `invalidMember` in the header or
    ///   the payload; `missingAlgorithm` in the header).
    public init(_ compact: String, limits: JWTLimits = .standard) throws(JWTDecodingError) {
        let parts = try CompactSerialization(compact, limits: limits)
        let (bytes, border) = (parts.bytes, parts.headerCount)
        var scanner = JSONScanner(maximumDepth: limits.depth)
        // RFC 7519, 7.2: the header by steps 2 to 5, the claims by steps 7 and 10; the signature is not this type's.
        header = try JOSEHeader(RegisteredMembers(bytes, in: 0..<border, of: .header, with: &scanner))
        claims = UnverifiedClaims(try RegisteredMembers(bytes, in: border..<bytes.count, of: .payload, with: &scanner))
    }

    /// Reads an ID token, within the standard limits.
    ///
    /// - Parameter idToken: The token as it came. Secret.
    /// - Throws: ``JWTDecodingError``, with the codes of ``init(_:limits:)``.
    public init(_ idToken: IDToken) throws(JWTDecodingError) {
        try self.init(idToken.unredacted)
    }

    /// When a token ends, read from its payload alone.
    ///
    /// Unverified. Faster than reading all of it, where only that is asked. The payload is checked whole, but of the
    /// registered claims only `exp` must have its type; of the header and the signature nothing is looked at but that
    /// they are there. So it may answer for a text that ``init(_:limits:)`` refuses.
    ///
    /// - Parameters:
    ///   - compact: Three parts with a dot between. From outside; secret where the token is still good.
    ///   - limits: How large it may be.
    /// - Returns: The claim `exp`, by the server's clock; nil where the token has none.
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

    /// When an access token ends that is a JWT, read from its payload alone, within the standard limits.
    ///
    /// - Parameter accessToken: The token as it came. Secret.
    /// - Returns: The claim `exp`, by the server's clock; nil where the token has none. Unverified.
    /// - Throws: ``JWTDecodingError``, with the codes of ``expiration(of:limits:)``: many access tokens are no JWT.
    public static func expiration(of accessToken: AccessToken) throws(JWTDecodingError) -> Date? {
        try expiration(of: accessToken.unredacted)
    }
}

extension UnverifiedJWT: CustomStringConvertible, CustomReflectable {
    /// The type alone: what a token says is about a person, and not for logs.
    public var description: String { "UnverifiedJWT" }

    /// A mirror without children, so that `dump` shows nothing of the claims.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
