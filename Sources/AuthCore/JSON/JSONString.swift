// SPDX-License-Identifier: Apache-2.0

/// The grammar of a JSON string.
///
/// [RFC 8259, 7](https://www.rfc-editor.org/rfc/rfc8259#section-7).
enum JSONString {
    /// Scans a string whose opening quote is next.
    static func scan(_ text: Span<UInt8>, at position: inout Int) throws(JSONError) -> JSONToken {
        let start = position + 1
        var index = start
        var isPlain = true
        while true {
            if let bytes = EightBytes(text, at: index) {
                let count = bytes.plainCount
                index &+= count
                if count == 8 { continue }
            }
            guard index < text.count else { throw .syntax }
            switch text[index] {
            case UInt8(ascii: "\""):
                position = index + 1
                return JSONToken(kind: isPlain ? .plainString : .string, start: start, end: index)
            case UInt8(ascii: "\\"):
                isPlain = false
                try skipEscape(text, at: &index)
            case 0..<0x20:
                throw .syntax
            case 0x20..<0x80:
                index += 1
            default:
                isPlain = false
                index += 1
            }
        }
    }

    /// Decodes a scanned string.
    static func text(_ token: JSONToken, in text: Span<UInt8>) -> String {
        guard token.kind == .string else {
            return String(copying: text.extracting(token.start..<token.end))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(token.end - token.start)
        var index = token.start
        while index < token.end {
            if text[index] == UInt8(ascii: "\\") {
                let scalar = escaped(text, at: &index)
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Escapes

    private static func skipEscape(_ text: Span<UInt8>, at index: inout Int) throws(JSONError) {
        guard index + 1 < text.count else { throw .syntax }
        switch text[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(text, at: index)
            index += 6
            // A lone surrogate is not a character (RFC 8259, 8.2), and two readers would decode it to different texts.
            guard !(0xDC00...0xDFFF).contains(unit) else { throw .syntax }
            guard (0xD800...0xDBFF).contains(unit) else { return }
            guard (0xDC00...0xDFFF).contains(try codeUnit(text, at: index)) else { throw .syntax }
            index += 6
        default:
            throw .syntax
        }
    }

    /// Decodes the four digits of an escape at the index.
    private static func codeUnit(_ text: Span<UInt8>, at index: Int) throws(JSONError) -> UInt32 {
        guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
            throw .syntax
        }
        var unit: UInt32 = 0
        for offset in 2..<6 {
            guard let digit = digit(text[index + offset]) else { throw .syntax }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// Decodes an escape that was checked.
    private static func escaped(_ text: Span<UInt8>, at index: inout Int) -> Unicode.Scalar {
        let byte = text[index + 1]
        guard byte == UInt8(ascii: "u") else {
            index += 2
            return switch byte {
            case UInt8(ascii: "b"): "\u{8}"
            case UInt8(ascii: "f"): "\u{C}"
            case UInt8(ascii: "n"): "\n"
            case UInt8(ascii: "r"): "\r"
            case UInt8(ascii: "t"): "\t"
            default: Unicode.Scalar(byte)
            }
        }
        let first = checkedUnit(text, at: index)
        index += 6
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        let second = checkedUnit(text, at: index)
        index += 6
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private static func checkedUnit(_ text: Span<UInt8>, at index: Int) -> UInt32 {
        var unit: UInt32 = 0
        for offset in 2..<6 { unit = unit << 4 | (digit(text[index + offset]) ?? 0) }
        return unit
    }
}

extension String {
    /// Copies bytes that are known to be UTF-8; replaces any that are not.
    init(copying bytes: Span<UInt8>) {
        // Safe: the buffer is read within the call that lends it.
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
