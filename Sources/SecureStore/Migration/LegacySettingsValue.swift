// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// A string in a JSON file of the user's settings, in which plain installs kept their token.
///
/// The file holds one object, and the value is a member of it. A member that is missing, `null` or an empty string is
/// no value. Any other content is `damaged` and is never written to, except that a number may be accepted.
///
/// A removal writes the other members again, sorted by name: their values stay, but not the spaces and the spelling of
/// numbers. A number is kept as 64 bits or as a double. The file's mode stays; its times and extended attributes do
/// not. Another program that writes the file at the same time does not take this
/// library's lock. The file is compared just before it is replaced, so there is next to no time in which such a write
/// could be overwritten.
public struct LegacySettingsValue: LegacyItemSource {
    /// The name of the location.
    public let name: StoreLocationName
    private let file: AtomicFile
    private let member: String
    private let acceptsNumbers: Bool

    /// The largest file, in bytes.
    private static let maximumSize = 1024 * 1024
    /// The number of attempts at a removal while another program writes the file.
    private static let attempts = 3

    /// Describes a value.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - path: The path of the file: a regular file of this user, and not a link.
    ///   - member: The member's name, for example `authToken`.
    ///   - acceptsNumbers: Whether a number is a value too, as its decimal text.
    public init(
        _ name: StoreLocationName,
        path: String,
        member: String = "authToken",
        acceptsNumbers: Bool = false
    ) {
        (self.name, self.member, self.acceptsNumbers) = (name, member, acceptsNumbers)
        file = AtomicFile(path)
    }

    /// Reads the value.
    ///
    /// - Returns: The string's bytes in UTF-8, secret; nil if there is no file, or no such value in it.
    /// - Throws: ``SecureStoreError`` (`damaged` if the file is not a JSON object, names a member twice, holds another
    ///   value there, is too large or is not a regular file; `denied` if it is a link or another user's;
    ///   `failed`).
    public func item() async throws -> SecretBytes? {
        try read()?.value
    }

    /// Removes the member only if its value still is the expected one.
    ///
    /// - Parameter expected: The value that must be present. Secret.
    /// - Returns: Whether the value is gone.
    /// - Throws: ``SecureStoreError`` as a read does; `full`; `busy` if other programs keep writing the file.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        for _ in 0..<Self.attempts {
            guard let (content, members, value) = try read() else { return true }
            guard value == expected else { return false }
            let rest = try JSONValue.text(of: members.filter { $0.key != member })
            if try file.replace(with: rest, mode: content.mode, ifStill: content.bytes) {
                try file.synchronize()
                return true
            }
        }
        throw SecureStoreError(.busy, detail: "the settings file")
    }

    /// Removes the damaged file that was set aside, and the drafts of killed writers, because they may hold the value.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
    public func removeCopies() async throws {
        let aside = AtomicFile(ConfigurationFile.asidePath(of: file.path))
        if try aside.remove() { try aside.synchronize() }
        // Other writers take no lock. None of them needs its draft for a minute.
        try file.removeDrafts(olderThan: .seconds(60))
    }

    /// Reads the file and the value in it; nil if there is no value.
    private func read() throws -> (content: AtomicFile.Content, members: [String: JSONValue], value: SecretBytes)? {
        guard let content = try file.read(atMost: Self.maximumSize) else { return nil }
        guard let members = try? JSONValue.object(in: content.bytes) else {
            throw SecureStoreError(.damaged, detail: "the settings file")
        }
        switch members[member] {
        case nil, .null, .string(""):
            return nil
        case .string(let text):
            return (content, members, SecretBytes(text.utf8))
        case .integer(let number) where acceptsNumbers:
            return (content, members, SecretBytes("\(number)".utf8))
        case .number(let number) where acceptsNumbers:
            return (content, members, SecretBytes("\(number)".utf8))
        default:
            throw SecureStoreError(.damaged, detail: "the settings file")
        }
    }
}
