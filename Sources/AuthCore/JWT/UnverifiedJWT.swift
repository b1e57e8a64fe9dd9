// SPDX-License-Identifier: Apache-2.0

/// A JWT that was decoded and *not* verified: its contents are not authenticated.
///
/// Its signature was not checked. Use it to show a token's contents, and to read the expiry of a token that this client
/// itself received. Never authenticate a user with it. [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519).
public struct UnverifiedJWT: Sendable {
    /// The length limit, in bytes of the compact form: more than header fields carry.
    package static let maximumLength = 65_536
    /// The deepest nesting of lists and objects, in levels: more than providers nest.
    ///
    /// The header or the claims themselves are the first level.
    static let maximumDepth = 16

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
    /// - Parameter compact: Three base64url parts separated by dots. Untrusted; secret while the token is valid.
    /// - Throws: ``JWTDecodingError`` (`tooLong`, `malformed`, `encrypted`; `invalidJSON` and `invalidMember` for the
    ///   header or the payload).
    public init(_ compact: String) throws(JWTDecodingError) {
        var compact = compact
        // Safe: the buffer is read within the call that lends it.
        let parts = try compact.withUTF8 { buffer in unsafe Self.parts(of: buffer.span) }.get()
        // RFC 7519, 7.2: the header by steps 2 to 5, the claims by steps 7 and 10. This type does not verify the
        // signature.
        header = try JOSEHeader(parts.header)
        claims = UnverifiedClaims(try RegisteredMembers(parts.payload, checking: RegisteredMembers.claims))
    }

    /// Decodes an ID token.
    ///
    /// - Parameter idToken: The token as received. Secret.
    /// - Throws: ``JWTDecodingError``, with the codes of the initializer above.
    public init(_ idToken: IDToken) throws(JWTDecodingError) {
        try self.init(idToken.unredacted)
    }

    private static func parts(of text: Span<UInt8>) -> Result<(header: [UInt8], payload: [UInt8]), JWTDecodingError> {
        guard text.count <= maximumLength else { return .failure(JWTDecodingError(.tooLong)) }
        var dots: [Int] = []
        for index in text.indices where text[index] == UInt8(ascii: ".") { dots.append(index) }
        // RFC 7516, 3: five parts are the compact form of an encrypted token.
        guard dots.count == 2 else { return .failure(JWTDecodingError(dots.count == 4 ? .encrypted : .malformed)) }
        guard let header = Base64URL.decode(text.extracting(0..<dots[0])),
            let payload = Base64URL.decode(text.extracting((dots[0] + 1)..<dots[1])),
            Base64URL.decode(text.extracting((dots[1] + 1)..<text.count)) != nil
        else { return .failure(JWTDecodingError(.malformed)) }
        return .success((header, payload))
    }
}

/// A token's contents describe a user and don't belong in logs.
extension UnverifiedJWT: Redacted {}
