/// The members that have a type here: of a header by RFC 7515, 4.1, of claims by RFC 7519, 4.1.
///
/// The raw value is the name itself, as ``JSONName/beginning`` has it.
enum RegisteredMember: UInt64 {
    case alg = 0x67_6C61
    case aud = 0x64_7561
    case crit = 0x7469_7263
    case exp = 0x70_7865
    case iat = 0x74_6169
    case iss = 0x73_7369
    case jti = 0x69_746A
    case kid = 0x64_696B
    case nbf = 0x66_626E
    case sub = 0x62_7573
    case typ = 0x70_7974

    /// The member of a name, however it is written: `"\u0061ud"` is `"aud"`.
    @inline(__always)
    init?(_ name: JSONName, in text: Span<UInt8>) {
        if name.token.kind == .plainString {
            // Of 3 or 4 characters the beginning is all there is; none of them is NUL.
            guard name.count == 3 || name.count == 4 else { return nil }
            self.init(rawValue: name.beginning)
        } else {
            self.init(written: JSONString.text(name.token, in: text))
        }
    }

    private init?(written name: String) {
        // A NUL behind three letters would make the same number as the letters.
        guard name.utf8.count <= 4, name.utf8.last != 0 else { return nil }
        self.init(rawValue: name.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) })
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
