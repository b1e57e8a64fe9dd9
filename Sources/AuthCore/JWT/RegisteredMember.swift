// SPDX-License-Identifier: Apache-2.0

/// The typed members: of a header by RFC 7515, 4.1 and RFC 7797, of claims by RFC 7519, 4.1.
///
/// The raw value is the name itself, encoded as in ``JSONName/beginning``.
enum RegisteredMember: UInt64 {
    case alg = 0x67_6C61
    case aud = 0x64_7561
    case b64 = 0x34_3662
    case crit = 0x7469_7263
    case cty = 0x79_7463
    case exp = 0x70_7865
    case iat = 0x74_6169
    case iss = 0x73_7369
    case jku = 0x75_6B6A
    case jti = 0x69_746A
    case jwk = 0x6B_776A
    case kid = 0x64_696B
    case nbf = 0x66_626E
    case sub = 0x62_7573
    case typ = 0x70_7974
    case x5c = 0x63_3578
    case x5t = 0x74_3578
    case x5tS256 = 0x3635_3253_2374_3578
    case x5u = 0x75_3578

    /// The required types of a member's value.
    enum Form {
        case string
        /// A list of one or more strings.
        case strings
        /// A string, or a list of any number of strings.
        case stringOrStrings
        /// Seconds from 1970 to the end of the year 9999.
        ///
        /// A later date is a mistake or an attack on date arithmetic.
        ///
        /// [RFC 7519, 2](https://www.rfc-editor.org/rfc/rfc7519#section-2).
        case numericDate
        case object
        /// The value `true` and no other.
        case `true`
    }

    /// Finds the member of a name in a part, however the name is escaped: `"\u0061ud"` is `"aud"`.
    @inline(__always)
    init?(_ name: JSONName, of part: JWTDecodingError.Part, in text: Span<UInt8>) {
        if name.token.kind == .plainString {
            // The beginning is the whole name if it has up to eight characters. None of them is NUL.
            guard name.count <= 8 else { return nil }
            self.init(rawValue: name.beginning)
        } else {
            self.init(written: JSONString.text(name.token, in: text))
        }
        // A claim named "typ" has no special meaning, nor does a header parameter named "exp".
        guard self.part == part else { return nil }
    }

    /// Whether a header parameter is defined by RFC 7515 itself, and so is not an extension.
    static func isParameter(_ name: String) -> Bool {
        guard let member = Self(written: name) else { return false }
        return member.part == .header && member != .b64
    }

    private init?(written name: String) {
        // A name of three letters and a NUL would make the same number as the letters.
        guard name.utf8.count <= 8, name.utf8.last != 0 else { return nil }
        self.init(rawValue: name.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The name on the wire.
    var name: String { self == .x5tS256 ? "x5t#S256" : "\(self)" }

    /// The part in which the member is registered.
    var part: JWTDecodingError.Part {
        switch self {
        case .aud, .exp, .iat, .iss, .jti, .nbf, .sub: .payload
        default: .header
        }
    }

    var form: Form {
        switch self {
        // RFC 7515, 4.1.11: if present, "crit" is a nonempty list. 4.1.6: so is "x5c".
        case .crit, .x5c: .strings
        case .aud: .stringOrStrings
        case .exp, .iat, .nbf: .numericDate
        case .jwk: .object
        // RFC 7797, 7: a JWT MUST NOT have an unencoded payload, which `false` declares.
        case .b64: .true
        default: .string
        }
    }
}
