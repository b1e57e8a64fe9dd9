// SPDX-License-Identifier: Apache-2.0

/// The members of one part of a token, of which the registered ones have the required types.
///
/// Equal if the texts are the same, byte for byte.
struct RegisteredMembers: Sendable, Hashable {
    /// The required types of a member's value.
    enum Form {
        case string
        /// A list of one or more strings.
        case strings
        /// A string, or a list of any number of strings.
        case stringOrStrings
        /// Seconds from 1970 to the end of the year 9999 (RFC 7519, 2).
        ///
        /// A later date is a mistake or an attack on date arithmetic.
        case numericDate
        case object
        /// The value `true` and no other.
        case `true`
    }

    /// RFC 7515, 4.1 and RFC 7797.
    static let header: [(name: String, form: Form)] = [
        ("alg", .string), ("cty", .string), ("jku", .string), ("jwk", .object), ("kid", .string), ("typ", .string),
        ("x5t", .string), ("x5t#S256", .string), ("x5u", .string),
        // RFC 7515, 4.1.11: if present, "crit" is a nonempty list. 4.1.6: so is "x5c".
        ("crit", .strings), ("x5c", .strings),
        // RFC 7797, 7: a JWT MUST NOT have an unencoded payload, which `false` declares.
        ("b64", .true),
    ]
    /// RFC 7519, 4.1.
    static let claims: [(name: String, form: Form)] = [
        ("iss", .string), ("sub", .string), ("aud", .stringOrStrings), ("exp", .numericDate), ("nbf", .numericDate),
        ("iat", .numericDate), ("jti", .string),
    ]

    let text: [UInt8]
    let values: [String: JSONValue]

    /// Parses one part.
    ///
    /// - Throws: ``JWTDecodingError`` (`invalidJSON`, `tooLong`; `invalidMember` for a member of the wrong type).
    init(_ text: [UInt8], checking registered: [(name: String, form: Form)]) throws(JWTDecodingError) {
        self.text = text
        do throws(JSONError) {
            // RFC 7519, 7.2, step 10 (and 4 for the header): UTF-8, and JSON that is an object.
            values = try JSONValue.object(in: text, maximumDepth: UnverifiedJWT.maximumDepth)
        } catch {
            throw JWTDecodingError(error == .nameTooLong || error == .tooDeep ? .tooLong : .invalidJSON)
        }
        for (name, form) in registered {
            if let value = values[name], !value.has(form) { throw JWTDecodingError(.invalidMember, member: name) }
        }
    }

    static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Returns a list of strings, which the token may also give as one string.
    func list(_ name: String) -> [String] {
        guard let value = values[name] else { return [] }
        return value.string.map { [$0] } ?? value.strings ?? []
    }
}

extension JSONValue {
    /// The strings of a list; nil if the value is not a list, or contains anything else.
    fileprivate var strings: [String]? {
        guard let strings = array?.compactMap(\.string), strings.count == array?.count else { return nil }
        return strings
    }

    fileprivate func has(_ form: RegisteredMembers.Form) -> Bool {
        switch form {
        case .string: string != nil
        case .strings: strings.map { !$0.isEmpty } ?? false
        case .stringOrStrings: string != nil || strings != nil
        case .numericDate: number.map { (0...253_402_300_799).contains($0) } ?? false
        case .object: object != nil
        case .true: self == .boolean(true)
        }
    }
}
