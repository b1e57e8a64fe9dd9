// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The positions of the registered members of one part, each of the required type.
struct RegisteredMembers: Sendable, Hashable {
    let object: JSONObject
    /// The members with an accessor.
    private(set) var alg: JSONToken?
    private(set) var aud: JSONToken?
    private(set) var crit: JSONToken?
    private(set) var exp: JSONToken?
    private(set) var iat: JSONToken?
    private(set) var iss: JSONToken?
    private(set) var jti: JSONToken?
    private(set) var kid: JSONToken?
    private(set) var nbf: JSONToken?
    private(set) var sub: JSONToken?
    private(set) var typ: JSONToken?

    /// Scans a whole part.
    ///
    /// - Throws: ``JWTDecodingError`` (`invalidUTF8`, `invalidJSON`, `notAnObject`, `duplicateMember`, `tooDeep`,
    ///   `tooLong`; `invalidMember` for the first checked member that has the wrong type).
    init(
        _ bytes: [UInt8],
        in range: Range<Int>,
        of part: JWTDecodingError.Part,
        checking isChecked: (RegisteredMember) -> Bool = { _ in true },
        with scanner: inout JSONScanner
    ) throws(JWTDecodingError) {
        object = JSONObject(bytes, in: range)
        let text = bytes.span.extracting(range)
        // RFC 7519, 7.2, step 10 (and 4 for the header): UTF-8, and JSON that is an object.
        guard object.isUTF8 else { throw JWTDecodingError(.invalidUTF8, in: part) }
        scanner.move(to: 0)
        let wrong: RegisteredMember?
        do throws(JSONError) {
            guard scanner.isAtObject(in: text) else {
                _ = try scanner.value(in: text)
                try scanner.end(of: text)
                throw JSONError.notAnObject
            }
            wrong = try scan(text, of: part, checking: isChecked, &scanner)
        } catch {
            throw JWTDecodingError(fault: error, in: part)
        }
        if let wrong { throw JWTDecodingError(.invalidMember, in: part, member: wrong.name) }
    }

    /// Scans the members and returns the first one that has the wrong type.
    private mutating func scan(
        _ text: Span<UInt8>,
        of part: JWTDecodingError.Part,
        checking isChecked: (RegisteredMember) -> Bool,
        _ scanner: inout JSONScanner
    ) throws(JSONError) -> RegisteredMember? {
        // A copy outside `self`, which would otherwise be copied for every member.
        let object = object
        var wrong: RegisteredMember?
        try scanner.object(in: text) { name, value in
            guard let member = RegisteredMember(name, of: part, in: text) else { return }
            keep(value, for: member)
            if wrong == nil, !object.has(value, form: member.form), isChecked(member) { wrong = member }
        }
        try scanner.end(of: text)
        return wrong
    }

    private mutating func keep(_ value: JSONToken, for member: RegisteredMember) {
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
        case .b64, .cty, .jku, .jwk, .x5c, .x5t, .x5tS256, .x5u: break
        }
    }

    // MARK: Values

    func string(_ token: JSONToken?) -> String? {
        token.map { object.string($0) }
    }

    /// Returns a list of strings, which the token may also give as one string.
    func list(_ token: JSONToken?) -> [String] {
        guard let token else { return [] }
        return token.isString ? [object.string(token)] : object.strings(token) ?? []
    }

    func numericDate(_ token: JSONToken?) -> Date? {
        token.map { Date(timeIntervalSince1970: object.double($0)) }
    }
}

extension JSONObject {
    /// Whether a value that was found in the text has a required type.
    fileprivate func has(_ value: JSONToken, form: RegisteredMember.Form) -> Bool {
        switch form {
        case .string: value.isString
        case .strings: strings(value).map { !$0.isEmpty } ?? false
        case .stringOrStrings: value.isString || strings(value) != nil
        case .numericDate: value.isNumber && (0...253_402_300_799).contains(double(value))
        case .object: value.kind == .object
        case .true: value.kind == .true
        }
    }
}
