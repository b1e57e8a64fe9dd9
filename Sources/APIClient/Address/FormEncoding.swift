// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The percent-encoding of paths and queries (RFC 3986, 2.1), and `application/x-www-form-urlencoded`.
package enum FormEncoding {
    /// Returns the items as a query, without the question mark; a space is `%20`, which every decoder reads.
    package static func encode(_ items: [(String, String)]) -> String {
        let isKept = TokenCharacters.isUnreserved
        return items.map { "\(escaped($0, keeping: isKept))=\(escaped($1, keeping: isKept))" }.joined(separator: "&")
    }

    /// Returns one encoded text, with a plus sign for a space as the specification requires.
    package static func encoded(_ text: String) -> String {
        // A percent sign is escaped as "%25", so "%20" can only stand for a space.
        escaped(text, keeping: TokenCharacters.isUnreserved).replacing("%20", with: "+")
    }

    /// Returns a text whose other bytes are escaped.
    static func escaped(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a text with each valid escape replaced; any other stays.
    static func unescaped(_ text: some Sequence<UInt8>) -> [UInt8] {
        var rest = Array(text)[...]
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            let digits = byte == UInt8(ascii: "%") ? rest.prefix(2).compactMap(Hexadecimal.digit) : []
            bytes.append(digits.count == 2 ? digits[0] << 4 | digits[1] : byte)
            if digits.count == 2 { rest = rest.dropFirst(2) }
        }
        return bytes
    }

    /// Whether a path has a dot segment, which can lead out of it.
    ///
    /// Also with escaped dots, and between escaped slashes and backslashes, which servers decode before they resolve it.
    static func hasDotSegment(_ path: String) -> Bool {
        unescaped(path.utf8).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            .contains { $0.count <= 2 && $0.allSatisfy { $0 == UInt8(ascii: ".") } }
    }

    /// Whether each percent sign has two hexadecimal digits after it.
    static func hasValidEscapes(_ text: some Collection<UInt8>) -> Bool {
        text.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
            .allSatisfy { $0.prefix(2).compactMap(Hexadecimal.digit).count == 2 }
    }

    /// Returns the items in order; nil if an escape is malformed or the bytes are not UTF-8.
    package static func decode(_ text: String) -> [(String, String)]? {
        var items: [(String, String)] = []
        // Splits bytes, not characters: a combining accent after a separator forms another character with it, and would
        // hide a second parameter.
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(part: parts[0]), let value = parts.count > 1 ? decode(part: parts[1]) : "" else {
                return nil
            }
            items.append((name, value))
        }
        return items
    }

    private static func decode(part: Substring.UTF8View) -> String? {
        guard hasValidEscapes(part) else { return nil }
        let bytes = unescaped(part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
        return String(validating: bytes, as: UTF8.self)
    }
}
