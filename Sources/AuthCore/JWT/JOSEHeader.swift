/// The header of a JWT, unverified.
///
/// Two are equal where their texts are the same, byte for byte.
/// [RFC 7515, 4](https://www.rfc-editor.org/rfc/rfc7515#section-4).
public struct JOSEHeader: Sendable, Hashable {
    private let members: RegisteredMembers

    init(_ members: RegisteredMembers) throws(JWTDecodingError) {
        // RFC 7515, 4.1.1: "alg" MUST be present.
        guard members.alg != nil else { throw JWTDecodingError(.missingAlgorithm, in: .header) }
        if members.crit != nil, !Self.isSound(members.list(members.crit), in: members.object) {
            throw JWTDecodingError(.invalidMember, in: .header, member: "crit")
        }
        self.members = members
    }

    /// RFC 7515, 4.1.11: each extension once, of those that stand in the header, and none that a specification of
    /// JSON web signatures itself defines.
    private static func isSound(_ critical: [String], in header: JSONObject) -> Bool {
        // By their bytes: to hash characters takes the square of the time where many accents stand in a row. And all at
        // once: to search the header for each takes the square too.
        let listed = Set(critical.map { Array($0.utf8) })
        return listed.count == critical.count && listed.isSubset(of: header.members.keys.map { Array($0.utf8) })
            && !critical.contains(where: RegisteredMember.isParameter)
    }

    /// The algorithm the signer says it used; `none` for an unsecured token.
    ///
    /// Compare `utf8` where it decides something: `==` takes two spellings of one character for the same.
    ///
    /// Wire: `alg`. [RFC 7515, 4.1.1](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.1).
    public var algorithm: String { members.string(members.alg) ?? "" }
    /// Which key the signer says it used.
    ///
    /// Wire: `kid`. [RFC 7515, 4.1.4](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4).
    public var keyID: String? { members.string(members.kid) }
    /// The media type of the whole token.
    ///
    /// Wire: `typ`. [RFC 7519, 5.1](https://www.rfc-editor.org/rfc/rfc7519#section-5.1).
    public var type: String? { members.string(members.typ) }
    /// The extensions a reader must understand; empty where there are none.
    ///
    /// None is understood here. Who takes the token for more than its words MUST refuse it where this is not empty and
    /// they do not understand each.
    ///
    /// Wire: `crit`. [RFC 7515, 4.1.11](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.11).
    public var critical: [String] { members.list(members.crit) }
    /// All parameters by their wire names, unknown ones too.
    ///
    /// Read anew with every call.
    public var parameters: [String: JSONValue] { members.object.members }
}

extension JOSEHeader: CustomStringConvertible, CustomReflectable {
    /// The type alone: what a token says is not for logs.
    public var description: String { "JOSEHeader" }

    /// A mirror without children, so that `dump` shows nothing of the header.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
