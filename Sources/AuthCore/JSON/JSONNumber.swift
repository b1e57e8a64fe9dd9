/// A number of a JSON text.
///
/// [RFC 8259, 6](https://www.rfc-editor.org/rfc/rfc8259#section-6).
enum JSONNumber {
    /// Scans a number that should be next.
    static func scan(_ text: Span<UInt8>, at position: inout Int) throws(JSONFault) -> JSONToken {
        let start = position
        var index = start
        if index < text.count, text[index] == UInt8(ascii: "-") { index += 1 }
        guard index < text.count else { throw .syntax }
        if text[index] == UInt8(ascii: "0") {
            index += 1
        } else {
            try skipDigits(text, at: &index)
        }
        var kind = JSONToken.Kind.integer
        if index < text.count, text[index] == UInt8(ascii: ".") {
            kind = .number
            index += 1
            try skipDigits(text, at: &index)
        }
        if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
            kind = .number
            index += 1
            if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
            try skipDigits(text, at: &index)
        }
        position = index
        let token = JSONToken(kind: kind, start: start, end: index)
        // A number that no double holds would be infinite to one reader and an error to the next.
        if kind == .number || index - start > longestSafe, !double(token, in: text).isFinite { throw .syntax }
        return token
    }

    /// A whole number of at most this many characters is always finite.
    private static let longestSafe = 300

    /// A scanned number as a double, the nearest there is.
    static func double(_ token: JSONToken, in text: Span<UInt8>) -> Double {
        if token.kind == .integer, let whole = integer(token, in: text) { return Double(whole) }
        return Double(String(copying: text.extracting(token.start..<token.end))) ?? .nan
    }

    /// A scanned number, whole where it is: `1.0` and `1e0` are `1`, as other readers have it.
    static func value(_ token: JSONToken, in text: Span<UInt8>) -> JSONValue {
        if let whole = integer(token, in: text) { return .integer(whole) }
        let number = double(token, in: text)
        // Beyond 2 to the 53rd every double is whole, also the one nearest to a number that is not.
        guard abs(number) <= 9_007_199_254_740_992, let whole = Int64(exactly: number) else { return .number(number) }
        return .integer(whole)
    }

    /// A scanned number without fraction and exponent, where it fits 64 bits.
    static func integer(_ token: JSONToken, in text: Span<UInt8>) -> Int64? {
        guard token.kind == .integer else { return nil }
        let isNegative = text[token.start] == UInt8(ascii: "-")
        if !isNegative, token.end - token.start <= 18 {
            var value: Int64 = 0
            // No number of 18 digits overflows.
            for index in token.start..<token.end { value = value &* 10 &+ Int64(text[index] & 0xF) }
            return value
        }
        var value: Int64 = 0
        for index in (isNegative ? token.start + 1 : token.start)..<token.end {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            let digit = Int64(text[index] - UInt8(ascii: "0"))
            // Below zero, for the least number has no positive twin.
            let (sum, overflowed) =
                isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
            guard !overflowed else { return nil }
            value = sum
        }
        return value
    }

    private static func skipDigits(_ text: Span<UInt8>, at index: inout Int) throws(JSONFault) {
        let first = index
        while index < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) { index += 1 }
        guard index > first else { throw .syntax }
    }
}
