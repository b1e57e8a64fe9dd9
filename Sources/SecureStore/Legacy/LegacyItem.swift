// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// An item where an older version of an app, or another program, kept it.
///
/// A read has three outcomes here too: the value, nil if its absence is proved, or an error. No call prompts or
/// unlocks.
public struct LegacyItem: Sendable {
    package let read: @Sendable () async throws -> SecretBytes?
    package let remove: @Sendable () async throws -> Void
    /// Removes copies that `read` does not find, at a sign-out.
    fileprivate(set) var removeCopies: @Sendable () async throws -> Void = {}

    /// Describes an item of any other place, such as another ``SecureStore``.
    ///
    /// - Parameters:
    ///   - read: Returns the value, secret; nil only if its absence is proved.
    ///   - remove: Removes the item, whatever its value. An absent item is not an error.
    public init(
        read: @escaping @Sendable () async throws -> SecretBytes?,
        remove: @escaping @Sendable () async throws -> Void
    ) {
        (self.read, self.remove) = (read, remove)
    }

    /// Reads the value, secret; nil only if its absence is proved.
    ///
    /// - Throws: ``SecureStoreError`` if the place can't tell; `CancellationError`.
    public func value() async throws -> SecretBytes? { try await read() }
}

extension LegacyItem {
    /// Describes a string or number in a JSON file of the user's settings, in which plain installs kept their token.
    ///
    /// The file holds one object, and the value is a member of it. A member that is missing, `null` or an empty string
    /// is no value; a number is its decimal text. Any other content is `damaged`. A file that is not a JSON object, is
    /// too large, or is a link or another user's is never written to. A removal leaves the file's mode, and writes its
    /// other members again, sorted by name. Drafts of killed writers go too.
    ///
    /// Another program that writes the file takes no lock of this library. The file is compared just before it is
    /// replaced, so there is next to no time in which such a write could be overwritten.
    public static func settings(path: String, member: String = "authToken") -> LegacyItem {
        let file = LegacySettingsFile(path)
        var item = LegacyItem(read: { try file.read(member)?.value }, remove: { try file.remove(member) })
        item.removeCopies = { try file.removeCopies() }
        return item
    }
}

/// A settings file that other programs write without a lock.
private struct LegacySettingsFile: Sendable {
    private let file: AtomicFile

    private static let damaged = SecureStoreError(.damaged, detail: "the settings file")
    private static let maximumSize = 1024 * 1024
    /// The number of attempts at a removal while another program writes the file.
    private static let attempts = 3

    init(_ path: String) { file = AtomicFile(path) }

    func remove(_ member: String) throws {
        for _ in 0..<Self.attempts {
            guard let found = try read(member) else { return }
            let (content, members) = (found.content, found.members.filter { $0.key != member })
            if try file.replace(with: JSONValue.text(of: members), mode: content.mode, ifStill: content.bytes) {
                return try file.synchronize()
            }
        }
        throw SecureStoreError(.busy, detail: "the settings file")
    }

    func removeCopies() throws {
        // Other writers take no lock. None of them needs its draft for a minute.
        try file.removeDrafts(olderThan: .seconds(60))
    }

    /// Reads the file and the value in it; nil if there is no value.
    func read(_ member: String) throws
        -> (content: AtomicFile.Content, members: [String: JSONValue], value: SecretBytes)?
    {
        guard let content = try file.read(atMost: Self.maximumSize) else { return nil }
        guard let members = try? JSONValue.object(in: content.bytes) else { throw Self.damaged }
        switch members[exactly: member] {
        case nil, .null, .string(""): return nil
        case .string(let text): return (content, members, SecretBytes(text.utf8))
        case .integer(let number): return (content, members, SecretBytes("\(number)".utf8))
        case .number(let number): return (content, members, SecretBytes("\(number)".utf8))
        default: throw Self.damaged
        }
    }
}
