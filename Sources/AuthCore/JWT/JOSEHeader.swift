// SPDX-License-Identifier: Apache-2.0

/// The header of a JWT, unverified.
///
/// Two headers are equal if their texts are the same, byte for byte.
/// [RFC 7515, 4](https://www.rfc-editor.org/rfc/rfc7515#section-4).
public struct JOSEHeader: Sendable, Hashable {
    private let members: RegisteredMembers

    init(_ text: [UInt8]) throws(JWTDecodingError) {
        members = try RegisteredMembers(text, checking: RegisteredMembers.header)
        // RFC 7515, 4.1.1: "alg" MUST be present.
        guard members.values["alg"] != nil else { throw JWTDecodingError(.invalidMember, member: "alg") }
        guard members.values["crit"] == nil || isCriticalSound else {
            throw JWTDecodingError(.invalidMember, member: "crit")
        }
    }

    /// Whether `crit` is valid by RFC 7515, 4.1.11.
    ///
    /// It must list each extension once, only members of the header, and no member that a specification of JSON web
    /// signatures itself defines.
    private var isCriticalSound: Bool {
        // By bytes: hashing by characters takes quadratic time if a name has many combining accents in a row.
        let listed = Set(critical.map { Array($0.utf8) })
        return listed.count == critical.count && listed.isSubset(of: parameters.keys.map { Array($0.utf8) })
            && !RegisteredMembers.header.contains { $0.name != "b64" && listed.contains(Array($0.name.utf8)) }
    }

    /// The algorithm that the signer claims to have used; `none` for an unsecured token.
    ///
    /// Compare `utf8` if a decision depends on it: `==` treats two spellings of one character as equal.
    ///
    /// Wire: `alg`. [RFC 7515, 4.1.1](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.1).
    public var algorithm: String { members.values["alg"]?.string ?? "" }
    /// The ID of the key that the signer claims to have used.
    ///
    /// Wire: `kid`. [RFC 7515, 4.1.4](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4).
    public var keyID: String? { members.values["kid"]?.string }
    /// The media type of the whole token.
    ///
    /// Wire: `typ`. [RFC 7519, 5.1](https://www.rfc-editor.org/rfc/rfc7519#section-5.1).
    public var type: String? { members.values["typ"]?.string }
    /// The extensions that a recipient must understand; empty if the header lists no extension.
    ///
    /// This package understands no extension. If the list is not empty, a caller that relies on the token MUST refuse
    /// it unless the caller understands each.
    ///
    /// Wire: `crit`. [RFC 7515, 4.1.11](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.11).
    public var critical: [String] { members.list("crit") }
    /// All parameters by their wire names, including unknown ones.
    public var parameters: [String: JSONValue] { members.values }
}

extension JOSEHeader: Redacted {}
