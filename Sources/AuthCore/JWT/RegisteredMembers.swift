#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the registered members of one part lie, each of the type it must have.
struct RegisteredMembers: Sendable, Hashable {
    let object: JSONObject
    private let part: JWTDecodingError.Part
    private var alg: JSONToken?
    private var aud: JSONToken?
    private var crit: JSONToken?
    private var exp: JSONToken?
    private var iat: JSONToken?
    private var iss: JSONToken?
    private var jti: JSONToken?
    private var kid: JSONToken?
    private var nbf: JSONToken?
    private var sub: JSONToken?
    private var typ: JSONToken?

    /// Scans a part whole.
    ///
    /// - Throws: ``JWTDecodingError`` (`invalidUTF8`, `invalidJSON`, `notAnObject`, `duplicateMember`, `tooDeep`).
    init(
        _ bytes: [UInt8],
        in range: Range<Int>,
        of part: JWTDecodingError.Part,
        with scanner: inout JSONScanner
    ) throws(JWTDecodingError) {
        object = JSONObject(bytes, in: range)
        self.part = part
        let text = bytes.span.extracting(range)
        guard object.isUTF8 else { throw JWTDecodingError(.invalidUTF8, in: part) }
        scanner.move(to: 0)
        do throws(JSONFault) {
            guard scanner.isAtObject(in: text) else {
                _ = try scanner.value(in: text)
                try scanner.end(of: text)
                throw JSONFault.notAnObject
            }
            try scan(text, &scanner)
        } catch {
            throw JWTDecodingError(fault: error, in: part)
        }
    }

    private mutating func scan(_ text: Span<UInt8>, _ scanner: inout JSONScanner) throws(JSONFault) {
        try scanner.object(in: text) { name, value in
            guard let member = RegisteredMember(name, in: text) else { return }
            switch member {
            case .alg: alg = value
            case .aud: aud = value
            case .crit: crit = value
            case .exp: exp = value
            case .iat: iat = value
            case .iss: iss = value
            case .jti: jti = value
            case .kid: kid = value
            case .nbf: nbf = value
            case .sub: sub = value
            case .typ: typ = value
            }
        }
        try scanner.end(of: text)
    }

    private func token(_ member: RegisteredMember) -> JSONToken? {
        switch member {
        case .alg: alg
        case .aud: aud
        case .crit: crit
        case .exp: exp
        case .iat: iat
        case .iss: iss
        case .jti: jti
        case .kid: kid
        case .nbf: nbf
        case .sub: sub
        case .typ: typ
        }
    }

    // MARK: Checks

    private func invalid(_ member: RegisteredMember) -> JWTDecodingError {
        JWTDecodingError(.invalidMember, in: part, member: member.name)
    }

    func has(_ member: RegisteredMember) -> Bool { token(member) != nil }

    /// Makes sure that a member is a string, where it is there.
    func checkString(_ member: RegisteredMember) throws(JWTDecodingError) {
        if let token = token(member), !token.isString { throw invalid(member) }
    }

    /// Makes sure that a member is a list of strings, where it is there.
    func checkStrings(_ member: RegisteredMember, orOne: Bool, orEmpty: Bool) throws(JWTDecodingError) {
        guard let token = token(member) else { return }
        if orOne, token.isString { return }
        guard token.kind == .array, case .array(let elements) = object.value(token),
            elements.allSatisfy({ $0.string != nil }), orEmpty || !elements.isEmpty
        else { throw invalid(member) }
    }

    /// Makes sure that a member is a `NumericDate`, where it is there: seconds from 1970 to the end of the year 9999.
    ///
    /// A later date is a mistake or an attack on date arithmetic.
    /// [RFC 7519, 2](https://www.rfc-editor.org/rfc/rfc7519#section-2).
    func checkNumericDate(_ member: RegisteredMember) throws(JWTDecodingError) {
        guard let token = token(member) else { return }
        guard token.isNumber, (0...253_402_300_799).contains(object.double(token)) else { throw invalid(member) }
    }

    // MARK: Values

    func string(_ member: RegisteredMember) -> String? {
        token(member).map { object.string($0) }
    }

    /// A list of strings, or one.
    func strings(_ member: RegisteredMember) -> [String] {
        guard let token = token(member) else { return [] }
        return token.isString ? [object.string(token)] : object.strings(token)
    }

    func numericDate(_ member: RegisteredMember) -> Date? {
        token(member).map { Date(timeIntervalSince1970: object.double($0)) }
    }
}
