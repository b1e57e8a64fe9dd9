/// What all textual secrets are made of: checked once, compared in constant time.
package struct SecretText: Sendable {
    /// The longest credential that is taken from outside, in bytes.
    package static let maximumLength = 65_536

    package let unredacted: String

    /// Checks text that came from outside.
    ///
    /// - Parameters:
    ///   - text: The credential. Secret.
    ///   - isAllowed: Whether a byte may stand in it.
    /// - Throws: ``TokenFormatError`` (`empty`, `tooLong`, `invalidCharacter`).
    package init(_ text: String, allowing isAllowed: (UInt8) -> Bool) throws(TokenFormatError) {
        let bytes = text.utf8
        guard !bytes.isEmpty else { throw TokenFormatError(code: .empty) }
        guard bytes.count <= Self.maximumLength else { throw TokenFormatError(code: .tooLong) }
        guard bytes.allSatisfy(isAllowed) else { throw TokenFormatError(code: .invalidCharacter) }
        unredacted = text
    }

    /// Takes text that this package made itself and that needs no check.
    package init(trusted text: String) {
        unredacted = text
    }

    package static func equal(_ left: SecretText, _ right: SecretText) -> Bool {
        ConstantTime.equal(left.unredacted.utf8, right.unredacted.utf8)
    }
}
