/// The header of a JWT, as it stands there.
///
/// [RFC 7515, 4](https://www.rfc-editor.org/rfc/rfc7515#section-4).
public struct JOSEHeader: Sendable, Hashable {
    /// The algorithm the signer says it used.
    ///
    /// Wire: `alg`.
    public let algorithm: String
    /// Which key the signer says it used.
    ///
    /// Wire: `kid`.
    public let keyID: String?
    /// The media type of the whole token.
    ///
    /// Wire: `typ`.
    public let type: String?
    /// The extensions a reader must understand.
    ///
    /// Wire: `crit`.
    public let critical: [String]
    /// All parameters by their wire names, unknown ones too.
    public let parameters: [String: JSONValue]

    init(members: [String: JSONValue]) throws(JWTDecodingError) {
        // RFC 7515, 4.1.1: "alg" MUST be present.
        guard let algorithm = members["alg"] else { throw JWTDecodingError(.missingAlgorithm, in: .header) }
        let reader = MemberReader(members: members, part: .header)
        guard case .string(let name) = algorithm else { throw reader.invalid("alg") }
        self.algorithm = name
        keyID = try reader.string("kid")
        type = try reader.string("typ")
        // RFC 7515, 4.1.11: where present, "crit" is a list that is not empty.
        critical = try reader.strings("crit") ?? []
        if members["crit"] != nil && critical.isEmpty { throw reader.invalid("crit") }
        parameters = members
    }
}
