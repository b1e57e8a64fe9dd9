#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JWT that was read and *not* verified: its signature was not looked at, nobody vouches for a word of it.
///
/// Good for showing what a token says and for reading the expiry of a token that this client itself was given. Never
/// decide who someone is from it. [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519).
public struct UnverifiedJWT: Sendable {
    /// The longest token that is read, in bytes.
    public static let maximumLength = 65_536

    /// The JOSE header.
    public let header: JOSEHeader
    /// The claims: registered ones typed, all by name.
    public let claims: JWTClaims

    /// Reads a token in the compact form.
    ///
    /// - Parameter compact: Three base64url parts with a dot between. From outside.
    /// - Throws: ``JWTDecodingError``; its code names the fault and its part where it lies.
    public init(_ compact: String) throws(JWTDecodingError) {
        guard compact.utf8.count <= Self.maximumLength else { throw JWTDecodingError(.tooLong) }
        let parts = compact.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // RFC 7516, 3: five parts are the compact form of an encrypted token.
        guard parts.count != 5 else { throw JWTDecodingError(.encrypted) }
        guard parts.count == 3 else { throw JWTDecodingError(.notThreeParts) }
        header = try JOSEHeader(members: Self.members(of: parts[0], in: .header))
        claims = try JWTClaims(members: Self.members(of: parts[1], in: .payload))
        guard Base64URL.decode(parts[2]) != nil else { throw JWTDecodingError(.invalidBase64URL, in: .signature) }
    }

    /// Reads an ID token.
    ///
    /// - Parameter idToken: The token as it came.
    /// - Throws: ``JWTDecodingError``.
    public init(_ idToken: IDToken) throws(JWTDecodingError) {
        try self.init(idToken.unredacted)
    }

    private static func members(
        of part: Substring.UTF8View.SubSequence,
        in name: JWTDecodingError.Part
    ) throws(JWTDecodingError) -> [String: JSONValue] {
        guard let bytes = Base64URL.decode(part) else { throw JWTDecodingError(.invalidBase64URL, in: name) }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw JWTDecodingError(.invalidUTF8, in: name) }
        // RFC 8259, 8.1: JSON is UTF-8. The decoder would take a text with NULs for UTF-16.
        guard !bytes.contains(0), let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
            throw JWTDecodingError(.invalidJSON, in: name)
        }
        guard case .object(let members) = value else { throw JWTDecodingError(.notAnObject, in: name) }
        return members
    }
}

extension UnverifiedJWT: CustomStringConvertible {
    /// Names the algorithm and nothing of the claims, which are about a person.
    public var description: String { "UnverifiedJWT(\(header.algorithm))" }
}
