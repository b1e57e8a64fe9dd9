// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// A JSON object that a provider sent, parsed strictly: UTF-8, no duplicate members, limited depth; or a form.
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

    /// Parses the body of an untrusted response: JSON, or the form that its content type names.
    ///
    /// Some servers ignore `Accept`, and send a form without duplicate members in place of JSON.
    init?(_ response: ProviderResponse) {
        if let document = ProviderDocument(response.body) {
            self = document
            return
        }
        guard response.isOfType("application/x-www-form-urlencoded"), response.body.count <= Self.maximumSize,
            let text = String(validating: ASCIIText.trimmed(response.body), as: UTF8.self),
            let items = FormEncoding.decode(text), !items.isEmpty, items.allSatisfy({ $0.0.utf8.count <= 256 })
        else { return nil }
        members = Dictionary(items.map { ($0, JSONValue.string($1).bounded) }, uniquingKeysWith: { first, _ in first })
        guard members.count == items.count else { return nil }
    }

    /// Returns a member; nil if it is missing or null, which many providers write for a missing value.
    subscript(member: String) -> JSONValue? {
        members[exactly: member].flatMap { $0 == .null ? nil : $0 }
    }

    func text(_ member: String) throws(MemberError) -> String? { try value(of: member) { $0.string } }

    /// Returns a text that may be missing, for which some providers write an empty one.
    func optionalText(_ member: String) throws(MemberError) -> String? {
        self[member]?.isAbsent ?? true ? nil : try text(member)
    }

    func texts(_ member: String) throws(MemberError) -> [String]? { try value(of: member, Self.texts) }

    /// Returns words that spaces separate; some providers send a list of them.
    func words(_ member: String) throws(MemberError) -> String? {
        try value(of: member) { $0.string ?? Self.texts($0)?.joined(separator: " ") }
    }

    func truth(_ member: String) throws(MemberError) -> Bool? { try value(of: member) { $0.boolean } }

    /// Returns a number of seconds, not negative, without its fraction; some providers send a string of digits, or an
    /// empty one for a missing value.
    func seconds(_ member: String) throws(MemberError) -> Int? {
        if self[member]?.isAbsent ?? true { return nil }
        return try value(of: member) { value in
            guard let number = value.number ?? value.string.flatMap(Self.digits), number.isFinite, number >= 0 else {
                return nil
            }
            return Int(min(number, Self.longest))
        }
    }

    private static func texts(_ value: JSONValue) -> [String]? {
        let texts = value.array?.compactMap(\.string)
        return texts?.count == value.array?.count ? texts : nil
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
    /// Whether many providers write the value for a missing one: null, or an empty text.
    var isAbsent: Bool { self == .null || string?.isEmpty ?? false }

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
