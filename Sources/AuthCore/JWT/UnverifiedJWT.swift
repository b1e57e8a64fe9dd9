/// A JWT that was read and *not* verified: its signature was not looked at, nobody vouches for a word of it.
///
/// Good for showing what a token says and for reading the expiry of a token that this client itself was given. Never
/// decide who someone is from it. [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519).
public struct UnverifiedJWT: Sendable {
    /// The JOSE header.
    public let header: JOSEHeader
    /// The claims: registered ones typed, all by name.
    public let claims: JWTClaims

    /// Reads a token in the compact form.
    ///
    /// - Parameters:
    ///   - compact: Three base64url parts with a dot between. From outside.
    ///   - limits: How large it may be.
    /// - Throws: ``JWTDecodingError``; its code names the fault and its part where it lies.
    public init(_ compact: String, limits: JWTLimits = .standard) throws(JWTDecodingError) {
        let parts = try CompactSerialization(compact, limits: limits)
        let (bytes, border) = (parts.bytes, parts.headerCount)
        header = try JOSEHeader(RegisteredMembers(bytes, in: 0..<border, of: .header, limits: limits))
        claims = try JWTClaims(RegisteredMembers(bytes, in: border..<bytes.count, of: .payload, limits: limits))
    }

    /// Reads an ID token.
    ///
    /// - Parameter idToken: The token as it came.
    /// - Throws: ``JWTDecodingError``.
    public init(_ idToken: IDToken) throws(JWTDecodingError) {
        try self.init(idToken.unredacted)
    }
}

extension UnverifiedJWT: CustomStringConvertible {
    /// Names the algorithm and nothing of the claims, which are about a person.
    public var description: String { "UnverifiedJWT(\(header.algorithm))" }
}
