package import Crypto

/// What all textual secrets are made of: checked once, compared in constant time, wiped when the last copy is released.
package struct SecretText: Sendable {
    /// The longest credential that is taken from outside, in bytes.
    package static let maximumLength = 65_536

    private let bytes: SecretBytes

    /// Checks text that came from outside.
    ///
    /// - Parameters:
    ///   - text: The credential. Secret.
    ///   - name: The credential's name in a sentence, `client secret` for one.
    ///   - isAllowed: Whether a byte may stand in it.
    /// - Throws: ``TokenFormatError`` (`empty`, `tooLong`, `invalidCharacter`).
    package init(
        _ text: String,
        named name: String,
        allowing isAllowed: (UInt8) -> Bool
    ) throws(TokenFormatError) {
        let characters = text.utf8
        guard !characters.isEmpty else { throw TokenFormatError(.empty, in: name) }
        guard characters.count <= Self.maximumLength else { throw TokenFormatError(.tooLong, in: name) }
        guard characters.allSatisfy(isAllowed) else { throw TokenFormatError(.invalidCharacter, in: name) }
        self.init(trusted: text)
    }

    /// Takes text that this package made itself and that needs no check.
    package init(trusted text: String) {
        bytes = SecretBytes(text.utf8)
    }

    /// The text, copied out of the memory that is wiped.
    ///
    /// Secret: the copy is not wiped.
    package var unredacted: String {
        // Safe: the buffer is read within the call that lends it.
        unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The SHA-256 of the text's bytes.
    package var sha256: SHA256.Digest { bytes.sha256 }

    /// Whether text from outside is this one, compared in constant time.
    package func matches(_ text: String) -> Bool {
        // Safe: the buffer is read within the call that lends it.
        unsafe bytes.withUnsafeBytes { unsafe ConstantTime.equal($0, text.utf8) }
    }

    /// Whether two are the same, compared in constant time.
    package static func equal(_ left: SecretText, _ right: SecretText) -> Bool { left.bytes == right.bytes }
}
