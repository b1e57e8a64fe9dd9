/// The header of a JWT, as it stands there.
///
/// Two are equal where their texts are the same, byte for byte.
/// [RFC 7515, 4](https://www.rfc-editor.org/rfc/rfc7515#section-4).
public struct JOSEHeader: Sendable, Hashable {
    private let members: RegisteredMembers

    init(_ members: RegisteredMembers) throws(JWTDecodingError) {
        // RFC 7515, 4.1.1: "alg" MUST be present.
        guard members.has(.alg) else { throw JWTDecodingError(.missingAlgorithm, in: .header) }
        try members.checkString(.alg)
        try members.checkString(.kid)
        try members.checkString(.typ)
        // RFC 7515, 4.1.11: where present, "crit" is a list that is not empty.
        try members.checkStrings(.crit, orOne: false, orEmpty: false)
        self.members = members
    }

    /// The algorithm the signer says it used; `none` for an unsecured token.
    ///
    /// Wire: `alg`. [RFC 7515, 4.1.1](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.1).
    public var algorithm: String { members.string(.alg) ?? "" }
    /// Which key the signer says it used.
    ///
    /// Wire: `kid`. [RFC 7515, 4.1.4](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4).
    public var keyID: String? { members.string(.kid) }
    /// The media type of the whole token.
    ///
    /// Wire: `typ`. [RFC 7519, 5.1](https://www.rfc-editor.org/rfc/rfc7519#section-5.1).
    public var type: String? { members.string(.typ) }
    /// The extensions a reader must understand; empty where there are none.
    ///
    /// Wire: `crit`. [RFC 7515, 4.1.11](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.11).
    public var critical: [String] { members.strings(.crit) }
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
