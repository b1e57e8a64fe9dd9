// SPDX-License-Identifier: Apache-2.0

package import Crypto

/// The storage of a textual secret: checked once, compared in constant time, overwritten at the end.
package struct SecretText: Sendable, Equatable {
    /// The length limit of an untrusted credential, in bytes.
    package static let maximumLength = 65_536

    private let bytes: SecretBytes

    /// Checks and wraps untrusted text.
    ///
    /// - Parameters:
    ///   - text: The credential. Secret.
    ///   - name: The credential's name within a sentence, such as `client secret`.
    ///   - isAllowed: The function that returns whether the text may contain a byte.
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

    /// Wraps text that this package made itself and that needs no check.
    package init(trusted text: String) {
        bytes = SecretBytes(text.utf8)
    }

    /// Wraps bytes of this package or its user that need no check.
    package init(trusted bytes: SecretBytes) {
        self.bytes = bytes
    }

    /// The text, copied out of the memory that is overwritten.
    ///
    /// Secret: the copy is not overwritten.
    package var unredacted: String {
        // Safe: the buffer is read within the call that lends it.
        unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The SHA-256 of the text's bytes.
    package var sha256: SHA256.Digest { bytes.sha256 }

    /// Whether untrusted text equals this secret, compared in constant time.
    package func matches(_ text: String) -> Bool {
        // Safe: the buffer is read within the call that lends it.
        unsafe bytes.withUnsafeBytes { unsafe ConstantTime.equal($0, text.utf8) }
    }
}
