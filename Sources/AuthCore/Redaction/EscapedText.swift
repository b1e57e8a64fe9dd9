// SPDX-License-Identifier: Apache-2.0

/// Text that is escaped for a URL, a form, JSON, a log or HTML.
enum EscapedText {
    /// The named HTML entities that encoders use.
    private static let entities: [(name: String, byte: UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]

    /// Removes one layer of escapes.
    ///
    /// - Parameter text: The text in UTF-8.
    /// - Returns: The text. Bytes that are not an escape stay as they are.
    static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            let escape: (bytes: [UInt8], length: Int)? =
                switch byte {
                case UInt8(ascii: "%"): number(in: rest.dropFirst(), digits: 2).map { ([UInt8($0)], 3) }
                case UInt8(ascii: "\\"): backslash(rest)
                case UInt8(ascii: "&"): ampersand(rest)
                default: nil
                }
            result += escape?.bytes ?? [byte]
            rest = rest.dropFirst(escape?.length ?? 1)
        }
        return result
    }

    /// Decodes `\u0041`, `\x41`, and `\"` for a character that stands for itself.
    private static func backslash(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        let rest = text.dropFirst()
        switch rest.first {
        case UInt8(ascii: "u"): return utf16(text)
        case UInt8(ascii: "x"): return number(in: rest.dropFirst(), digits: 2).map { ([UInt8($0)], 4) }
        case let byte?: return ([byte], 2)
        case nil: return nil
        }
    }

    /// Decodes `\u0041`, and `\ud83d\ude00` for a character that needs a surrogate pair.
    private static func utf16(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        guard let first = number(in: text.dropFirst(2), digits: 4) else { return nil }
        let rest = text.dropFirst(6)
        guard UTF16.isLeadSurrogate(UInt16(first)), rest.starts(with: #"\u"#.utf8),
            let second = number(in: rest.dropFirst(2), digits: 4), UTF16.isTrailSurrogate(UInt16(second))
        else { return (utf8(first), 6) }
        return (Array(String(decoding: [UInt16(first), UInt16(second)], as: UTF16.self).utf8), 12)
    }

    /// Decodes `&quot;`, `&#34;` and `&#x22;`.
    private static func ampersand(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        if let entity = entities.first(where: { text.starts(with: $0.name.utf8) }) {
            return ([entity.byte], entity.name.utf8.count)
        }
        guard text.starts(with: "&#".utf8), let end = text.prefix(10).firstIndex(of: UInt8(ascii: ";")) else {
            return nil
        }
        var digits = text[(text.startIndex + 2)..<end]
        let isHexadecimal = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        if isHexadecimal { digits = digits.dropFirst() }
        guard let number = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10) else {
            return nil
        }
        return (utf8(number), end + 1 - text.startIndex)
    }

    private static func number(in text: ArraySlice<UInt8>, digits: Int) -> UInt32? {
        let part = text.prefix(digits)
        guard part.count == digits, part.allSatisfy(isHexadecimal) else { return nil }
        return UInt32(String(decoding: part, as: UTF8.self), radix: 16)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Returns a character in UTF-8; no bytes for a number that is not a scalar, such as a lone surrogate.
    private static func utf8(_ number: UInt32) -> [UInt8] {
        Unicode.Scalar(number).map { Array(String($0).utf8) } ?? []
    }
}
