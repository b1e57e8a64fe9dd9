// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// A JSON object that a provider sent, parsed strictly: UTF-8, no duplicate members, limited depth.
///
/// Unknown members are ignored. A requested member of the wrong type is an error that names the member. A text that
/// takes quadratic time to compare is null. A reader returns nil if the member is missing.
struct ProviderDocument: Sendable {
    /// A member whose type differs from its specification, or that is a URL that must not be used.
    struct MemberError: Error, Equatable {
        let member: String
        var underlying: BaseURLError?
    }

    /// The largest document that is read, in bytes.
    static let maximumSize = 524_288

    let members: [String: JSONValue]

    /// Parses an untrusted document; returns nil if it is not a JSON object within the limits.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumSize, let members = try? JSONValue.object(in: bytes, maximumDepth: 16) else {
            return nil
        }
        self.members = members.mapValues(\.bounded)
    }

    /// Returns a member; nil if it is missing or null, which many providers write for a missing value.
    subscript(member: String) -> JSONValue? {
        members[exactly: member].flatMap { $0 == .null ? nil : $0 }
    }

    func text(_ member: String) throws(MemberError) -> String? { try value(of: member) { $0.string } }

    func texts(_ member: String) throws(MemberError) -> [String]? {
        try value(of: member) { value in
            let texts = value.array?.compactMap(\.string)
            return texts?.count == value.array?.count ? texts : nil
        }
    }

    func truth(_ member: String) throws(MemberError) -> Bool? { try value(of: member) { $0.boolean } }

    /// Returns a number of seconds, not negative, without its fraction; some providers send a string of digits.
    func seconds(_ member: String) throws(MemberError) -> Int? {
        try value(of: member) { value in
            guard let number = value.number ?? value.string.flatMap(Self.digits), number.isFinite, number >= 0 else {
                return nil
            }
            return Int(min(number, Self.longest))
        }
    }

    private func value<Value>(of member: String, _ read: (JSONValue) -> Value?) throws(MemberError) -> Value? {
        guard let said = self[member] else { return nil }
        guard let value = read(said) else { throw MemberError(member: member) }
        return value
    }

    /// The maximum number of seconds: a century.
    private static let longest = 3_155_760_000.0

    private static func digits(_ text: String) -> Double? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(ASCIIText.isDigit)
        else { return nil }
        return Double(text)
    }
}

extension JSONValue {
    /// The value, with null in place of each text that takes quadratic time to compare.
    ///
    /// Null, not a shorter text: two identifiers must not become one.
    var bounded: JSONValue {
        switch self {
        case .string(let text) where text.isSlowToCompare: .null
        case .array(let elements): .array(elements.map(\.bounded))
        case .object(let members): .object(members.mapValues(\.bounded))
        default: self
        }
    }
}

extension String {
    /// The length up to which any text compares fast enough, in bytes.
    private static let shortLength = 1_024
    /// The number of combining marks in a row that no language exceeds (UAX #15, 13).
    private static let longestRun = 30

    /// Whether the text is long and has more combining marks in a row than any language writes.
    ///
    /// `==` and `hash` sort such marks, each time: 16 seconds for a quarter of a megabyte.
    fileprivate var isSlowToCompare: Bool {
        guard utf8.count > Self.shortLength, !utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        var run = 0
        return unicodeScalars.contains { scalar in
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            return run > Self.longestRun
        }
    }
}
