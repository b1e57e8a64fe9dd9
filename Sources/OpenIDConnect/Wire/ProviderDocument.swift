import AuthCore

/// A JSON object that a provider sent, read strictly: UTF-8, each member named once, no deeper than anybody needs.
///
/// What it does not know is ignored; what it asks for has its type or is a fault that names the member.
struct ProviderDocument: Sendable {
    /// A member that lacks, or is of another type than its specification says.
    struct MemberFault: Error, Equatable {
        let member: String
    }

    /// The largest document that is read, in bytes.
    static let maximumSize = 524_288

    private let object: JSONDocument

    /// Reads a document; nil where it is no such object.
    ///
    /// - Parameter bytes: From outside. May hold secrets.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumSize, let object = JSONDocument(bytes, maximumDepth: 16) else { return nil }
        self.object = object
    }

    /// A member as it stands; nil where it lacks or is null, which many providers write for "none".
    subscript(member: String) -> JSONValue? {
        object[member].flatMap { $0 == .null ? nil : $0 }
    }

    /// All members.
    var members: [String: JSONValue] { object.members }

    /// A text; nil where there is none.
    func text(_ member: String) throws(MemberFault) -> String? {
        guard let value = self[member] else { return nil }
        guard let text = value.string else { throw MemberFault(member: member) }
        return text
    }

    /// A list of texts; nil where there is none.
    func texts(_ member: String) throws(MemberFault) -> [String]? {
        guard let value = self[member] else { return nil }
        let texts = value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count else { throw MemberFault(member: member) }
        return texts
    }

    /// A truth; nil where there is none.
    func truth(_ member: String) throws(MemberFault) -> Bool? {
        guard let value = self[member] else { return nil }
        guard let truth = value.boolean else { throw MemberFault(member: member) }
        return truth
    }

    /// A number of seconds, not negative; nil where there is none.
    ///
    /// Also one in quotes, as some providers write it. A fraction is cut off.
    func seconds(_ member: String) throws(MemberFault) -> Int? {
        guard let value = self[member] else { return nil }
        guard let number = value.number ?? value.string.flatMap(Self.digits), number.isFinite, number >= 0 else {
            throw MemberFault(member: member)
        }
        return Int(min(number, Self.longest))
    }

    /// A century: what is longer is no time that anybody waits.
    private static let longest = 3_155_760_000.0

    private static func digits(_ text: String) -> Double? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Double(text)
    }
}
