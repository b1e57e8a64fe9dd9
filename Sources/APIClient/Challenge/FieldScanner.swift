// SPDX-License-Identifier: Apache-2.0

/// A scanner that reads a header field's value byte by byte.
///
/// [RFC 9110, 5.6](https://www.rfc-editor.org/rfc/rfc9110#section-5.6).
struct FieldScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// Whether only space is left before the next comma or the end.
    var isAtElementEnd: Bool {
        var rest = self
        rest.skip(while: Self.isSpace)
        return rest.isAtEnd || rest.next == UInt8(ascii: ",")
    }

    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    /// Skips bytes and returns their number.
    @discardableResult
    mutating func skip(while isSkipped: (UInt8) -> Bool) -> Int {
        let start = position
        while let byte = next, isSkipped(byte) { position += 1 }
        return position - start
    }

    /// Skips to the next comma outside of quotes.
    mutating func skipElement() {
        while let byte = next, byte != UInt8(ascii: ",") {
            if byte != UInt8(ascii: "\"") {
                position += 1
            } else if quotedString() == nil {
                // The quote never ends, so no later comma is surely outside of it.
                position = bytes.count
            }
        }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func token() -> String? {
        let start = position
        guard skip(while: Self.isTokenByte) > 0 else { return nil }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads letters, digits and `-._~+/`, with equals signs only at the end.
    mutating func token68() -> String? {
        let start = position
        guard skip(while: Self.isToken68Byte) > 0 else { return nil }
        skip { $0 == UInt8(ascii: "=") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads a quoted string, without its backslashes; returns nil if there is no quote or the quote never ends.
    mutating func quotedString() -> String? {
        let start = position
        guard take(UInt8(ascii: "\"")) else { return nil }
        var content: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next else { break }
                content.append(escaped)
                position += 1
            default:
                content.append(byte)
            }
        }
        position = start
        return nil
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isSeparator(_ byte: UInt8) -> Bool { isSpace(byte) || byte == UInt8(ascii: ",") }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~+/".utf8.contains(byte) }
}
