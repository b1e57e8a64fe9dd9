// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// A field of a form, into which the user types a line of text.
///
/// The text lies in memory that is overwritten when it changes, and does not show when the field is printed.
struct TextField: Sendable, Equatable {
    /// The value that a field is for.
    enum Name: Sendable, Hashable {
        case email
        case password
        case name
        case phoneNumber

        /// The maximum length of the value, in bytes of UTF-8.
        var longest: Int {
            switch self {
            case .email: 320
            case .password: 1_024
            case .name: 200
            case .phoneNumber: 40
            }
        }
    }

    let name: Name
    let label: String
    /// A remark about what to type, or nil if the label says enough.
    let remark: String?
    /// Whether the text is shown as dots.
    let isSecret: Bool
    /// The text in UTF-8, which may be secret.
    private var content = SecretBytes([])
    /// The length of each character, in bytes.
    private var lengths: [Int] = []
    /// The number of characters before the caret.
    private(set) var caret = 0

    init(_ name: Name, _ label: String, remark: String? = nil, isSecret: Bool = false) {
        (self.name, self.label, self.remark, self.isSecret) = (name, label, remark, isSecret)
    }

    /// The text, which may be secret.
    var text: String { String(decoding: content.unredacted, as: UTF8.self) }

    /// The text as a password, without a copy of it.
    var password: Password { Password(content) }

    /// The number of characters.
    var count: Int { lengths.count }

    /// Whether nothing is typed, or white space alone, which only a password may be.
    var isBlank: Bool { isSecret ? lengths.isEmpty : text.allSatisfy(\.isWhitespace) }
}

extension TextField {
    /// Adds a typed character before the caret; ignored if it can't be shown, or the field is full.
    mutating func type(_ character: Character) {
        for scalar in character.unicodeScalars where ShownText.of(String(scalar)) != nil { type(scalar) }
    }

    /// Replaces the text by a typed line.
    mutating func take(_ line: String) {
        clear()
        for character in line { type(character) }
    }

    /// Removes the character before the caret.
    mutating func deleteBackward() {
        guard caret > 0 else { return }
        caret -= 1
        deleteForward()
    }

    /// Removes the character after the caret.
    mutating func deleteForward() {
        guard caret < count else { return }
        let start = offset(of: caret)
        replace(start..<start + lengths[caret], with: [])
        lengths.remove(at: caret)
    }

    /// Moves the caret by a number of characters, at most to an end of the text.
    mutating func moveCaret(by step: Int) { caret = min(max(0, caret + step), count) }

    /// Removes the whole text.
    mutating func clear() { (content, lengths, caret) = (SecretBytes([]), [], 0) }

    private mutating func type(_ scalar: Unicode.Scalar) {
        let bytes = Array(String(scalar).utf8)
        guard content.count + bytes.count <= name.longest else { return }
        let start = offset(of: caret)
        let isJoined = joins(scalar, before: start)
        replace(start..<start, with: bytes)
        if isJoined {
            lengths[caret - 1] += bytes.count
        } else {
            lengths.insert(bytes.count, at: caret)
            caret += 1
        }
    }

    /// Returns whether a scalar belongs to the character before the caret, as an accent does.
    private func joins(_ scalar: Unicode.Scalar, before start: Int) -> Bool {
        guard caret > 0, !scalar.isASCII else { return false }
        let last = content.unredacted[(start - lengths[caret - 1])..<start]
        return (String(decoding: last, as: UTF8.self) + String(scalar)).count == 1
    }

    /// Returns the position of a character, in bytes.
    private func offset(of character: Int) -> Int { lengths[..<character].reduce(0, +) }

    /// Replaces a part of the text, and overwrites the copies that this takes.
    private mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
        var old = content.unredacted
        var new: [UInt8] = []
        new.reserveCapacity(old.count + bytes.count)
        new += old[..<range.lowerBound]
        new += bytes
        new += old[range.upperBound...]
        content = SecretBytes(new)
        Wiping.wipe(&old)
        Wiping.wipe(&new)
    }
}
