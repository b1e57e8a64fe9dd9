// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The encoding `application/x-www-form-urlencoded` of queries and token requests.
///
/// [RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B).
package enum FormEncoding {
    /// Returns the items as a query.
    package static func encode(_ items: [(String, String)]) -> String {
        RequestTarget.query(items.map { QueryItem(name: $0, value: $1) })
    }

    /// Returns one encoded text, with a plus sign for a space as the specification requires.
    package static func encoded(_ text: String) -> String {
        // The encoder escapes a percent sign as "%25", so "%20" can only stand for a space.
        String(encode([("", text)]).dropFirst()).replacing("%20", with: "+")
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

    private static func decode(part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hexadecimal.digit),
                    let low = rest.popFirst().flatMap(Hexadecimal.digit)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default:
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
