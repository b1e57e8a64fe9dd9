// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// A JSON object that a provider sent, parsed strictly: UTF-8, no duplicate members, limited depth.
///
/// Unknown members are ignored. A requested member of the wrong type is an error that names the member. A text that
/// takes quadratic time to compare is null.
struct ProviderDocument: Sendable {
    /// A member whose type differs from its specification.
    struct MemberError: Error, Equatable {
        let member: String
    }

    /// The largest document that is read, in bytes.
    static let maximumSize = 524_288

    /// The object's members.
    let members: [String: JSONValue]

    /// Parses a document; returns nil if it is not a JSON object within the limits.
    ///
    /// - Parameter bytes: The document. Untrusted. May contain secrets.
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

    /// Returns a string; nil if the member is missing.
    func text(_ member: String) throws(MemberError) -> String? {
        guard let value = self[member] else { return nil }
        guard let text = value.string else { throw MemberError(member: member) }
        return text
    }

    /// Returns a list of strings; nil if the member is missing.
    func texts(_ member: String) throws(MemberError) -> [String]? {
        guard let value = self[member] else { return nil }
        let texts = value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count else { throw MemberError(member: member) }
        return texts
    }

    /// Returns a Boolean; nil if the member is missing.
    func truth(_ member: String) throws(MemberError) -> Bool? {
        guard let value = self[member] else { return nil }
        guard let truth = value.boolean else { throw MemberError(member: member) }
        return truth
    }

    /// Returns a number of seconds, not negative; nil if the member is missing.
    ///
    /// Accepts a string of digits, too, which some providers send. Cuts off a fraction.
    func seconds(_ member: String) throws(MemberError) -> Int? {
        guard let value = self[member] else { return nil }
        guard let number = value.number ?? value.string.flatMap(Self.digits), number.isFinite, number >= 0 else {
            throw MemberError(member: member)
        }
        return Int(min(number, Self.longest))
    }

    /// The maximum number of seconds: a century.
    private static let longest = 3_155_760_000.0

    private static func digits(_ text: String) -> Double? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(ASCIIText.isDigit)
        else { return nil }
        return Double(text)
    }
}
