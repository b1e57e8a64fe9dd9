/// The members that have a type here: of a header by RFC 7515, 4.1, of claims by RFC 7519, 4.1.
///
/// The raw value is the name itself, its bytes in one number.
enum RegisteredMember: UInt32 {
    case alg = 0x61_6C67
    case aud = 0x61_7564
    case crit = 0x6372_6974
    case exp = 0x65_7870
    case iat = 0x69_6174
    case iss = 0x69_7373
    case jti = 0x6A_7469
    case kid = 0x6B_6964
    case nbf = 0x6E_6266
    case sub = 0x73_7562
    case typ = 0x74_7970

    /// The member of a name, however it is written: `"aud"` is `"aud"`.
    init?(_ name: JSONToken, in text: Span<UInt8>) {
        if name.kind == .plainString {
            guard (3...4).contains(name.end - name.start) else { return nil }
            var number: UInt32 = 0
            for index in name.start..<name.end { number = number << 8 | UInt32(text[index]) }
            self.init(rawValue: number)
        } else {
            let written = JSONString.text(name, in: text).utf8
            // A NUL before three letters would make the same number as the letters.
            guard (3...4).contains(written.count), written.first != 0 else { return nil }
            self.init(rawValue: written.reduce(0) { $0 << 8 | UInt32($1) })
        }
    }

    /// The name on the wire.
    var name: String {
        switch self {
        case .alg: "alg"
        case .aud: "aud"
        case .crit: "crit"
        case .exp: "exp"
        case .iat: "iat"
        case .iss: "iss"
        case .jti: "jti"
        case .kid: "kid"
        case .nbf: "nbf"
        case .sub: "sub"
        case .typ: "typ"
        }
    }
}
