// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation

/// The properties that hold for the decoder on any input.
///
/// Used by the fuzzer and by the tests of its recorded inputs.
///
/// No input may cause a crash, a hang or a read out of bounds. Foundation must accept every accepted input, with the
/// same values. The reverse need not hold, because Foundation is less strict.
enum DecodingOracle {
    /// Decodes bytes as a whole token, as its header and as its payload.
    ///
    /// - Returns: A description of the violated property; nil if every property holds.
    static func complaint(about bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? UnverifiedJWT(text)
        let part = base64URL(bytes)
        if let header = try? UnverifiedJWT("\(part).e30.").header {
            guard header.parameters["alg"]?.string == header.algorithm else { return "wrong value of alg" }
        }
        let compact = "eyJhbGciOiJub25lIn0.\(part)."
        guard let token = try? UnverifiedJWT(compact) else { return nil }
        return complaint(about: token.claims, of: bytes)
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    private static func complaint(about claims: UnverifiedClaims, of bytes: [UInt8]) -> String? {
        let epoch = Date(timeIntervalSince1970: 0)
        _ = claims.lifetime().freshness(at: epoch, window: .longLivedToken)
        _ = TokenLifetime(claims: claims, from: epoch).freshness(at: epoch, window: .shortLivedToken)
        let all = claims.all
        let typed = [
            ("iss", claims.issuer), ("sub", claims.subject), ("aud", claims.audience.first),
        ]
        for (name, value) in typed where value != (all[name]?.string ?? all[name]?.array?.first?.string) {
            return "wrong value of \(name)"
        }
        for name in all.keys where claims[name] != all[name] { return "a claim and its entry in all differ" }
        let dates = [("exp", claims.expiration), ("nbf", claims.notBefore), ("iat", claims.issuedAt)]
        if let read = try? claims.decode(as: [String: Lenient].self) {
            for (name, date) in dates where date != read[name]?.date { return "wrong value of \(name)" }
        }
        guard let theirs = try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes)) else {
            return "accepted, but rejected by Foundation"
        }
        return same(.object(theirs), .object(all)) ? nil : "read differently from Foundation"
    }

    /// A value that is decoded as a date if possible.
    private struct Lenient: Decodable {
        let date: Date?

        init(from decoder: any Decoder) throws {
            date = try? decoder.singleValueContainer().decode(Date.self)
        }
    }

    /// Returns whether two values are the same.
    ///
    /// If the double nearest to a number with a fraction is whole, Foundation reads a truncated integer. The decoder
    /// reads the double.
    private static func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy(same)
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { name, value in right[name].map { same(value, $0) } ?? false }
        case (.integer(let left), .number(let right)), (.number(let right), .integer(let left)):
            abs(Double(left) - right) <= right.ulp
        default:
            left == right
        }
    }
}
