public import AuthCore

/// A string in a JSON file of the user's settings, as plain installs kept their token.
///
/// The file holds one object; the value is a member of it. A member that is missing, `null` or an empty string is no
/// value. What is not such a file is `damaged` and never written to.
///
/// A removal cuts the member's bytes out and leaves all others as they are, spaces and the spelling of numbers
/// included: a file that was decoded and encoded again would lose those, and large numbers with them. The file's mode
/// stays; its times and extended attributes do not. Another program that writes the file at the same time takes no lock
/// of ours; the file is compared just before it is replaced, which leaves such a writer next to no time to be
/// overwritten in.
public struct SettingsFileValue: OlderPlace {
    /// What the place is called.
    public let name: PlaceName
    private let file: AtomicFile
    private let member: String

    /// The largest file, in bytes.
    private static let maximumSize = 1024 * 1024
    /// How often a removal is begun again because the file was written meanwhile.
    private static let attempts = 3

    /// Names a value.
    ///
    /// - Parameters:
    ///   - name: What the place is called.
    ///   - path: The file; a regular one of this user, reached without a link in its own place.
    ///   - member: The member's name: `authToken`, say.
    public init(_ name: PlaceName, path: String, member: String = "authToken") {
        (self.name, self.member) = (name, member)
        file = AtomicFile(path)
    }

    /// Reads the value.
    ///
    /// - Returns: The string's bytes in UTF-8, secret; nil where there is no file, or no such value in it.
    /// - Throws: ``SecureStoreError`` (`damaged` where the file is no JSON object, names a member twice, holds anything
    ///   but a string there, is too large or no regular file; `denied` where it is a link or another user's; `failed`).
    public func item() async throws -> SecretBytes? {
        try read()?.value
    }

    /// Removes the member only where its value still is the expected one.
    ///
    /// - Parameter expected: What it must be. Secret.
    /// - Returns: Whether the value is gone.
    /// - Throws: ``SecureStoreError`` as a read does; `full`; `busy` where the file is being written all the time.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        for _ in 0..<Self.attempts {
            guard let (content, document, value) = try read() else { return true }
            guard value == expected else { return false }
            let rest = document.removing(member)
            if try file.replace(with: rest, mode: content.mode, ifStill: content.bytes) {
                try file.synchronize()
                return true
            }
        }
        throw SecureStoreError(.busy, detail: "the settings file")
    }

    /// Removes the file that was set aside because it could not be read: it may hold the value.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
    public func removeCopies() async throws {
        let aside = AtomicFile(ConfigurationFile.asidePath(of: file.path))
        try aside.remove()
        try aside.synchronize()
    }

    /// The file as it is, and the value in it; nil where there is none.
    private func read() throws -> (content: AtomicFile.Content, document: JSONDocument, value: SecretBytes)? {
        guard let content = try file.read(atMost: Self.maximumSize) else { return nil }
        guard let document = JSONDocument(content.bytes) else {
            throw SecureStoreError(.damaged, detail: "the settings file")
        }
        switch document[member] {
        case nil, .null, .string(""):
            return nil
        case .string(let text):
            return (content, document, SecretBytes(text.utf8))
        default:
            throw SecureStoreError(.damaged, detail: "the settings file")
        }
    }
}
