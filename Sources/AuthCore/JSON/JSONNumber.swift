// SPDX-License-Identifier: Apache-2.0

/// The grammar of a JSON number.
///
/// [RFC 8259, 6](https://www.rfc-editor.org/rfc/rfc8259#section-6).
enum JSONNumber {
    /// Scans a number at the position.
    static func scan(_ text: Span<UInt8>, at position: inout Int) throws(JSONError) -> JSONToken {
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
        // One reader would read a number that no double can represent as infinity or zero, and another would refuse it.
        if kind == .number || index - start > longestSafe {
            let value = double(token, in: text)
            guard value.isFinite, value != 0 || !hasDigits(token, in: text) else { throw .syntax }
        }
        return token
    }

    /// The number of characters up to which a whole number is always finite.
    private static let longestSafe = 300

    /// Returns a scanned number as the nearest double.
    static func double(_ token: JSONToken, in text: Span<UInt8>) -> Double {
        if token.kind == .integer, let whole = integer(token, in: text) { return Double(whole) }
        return Double(String(copying: text.extracting(token.start..<token.end))) ?? .nan
    }

    /// Returns a scanned number, as an integer if it is whole: `1.0` and `1e0` are `1`, as for other readers.
    static func value(_ token: JSONToken, in text: Span<UInt8>) -> JSONValue {
        whole(token, in: text).map { .integer($0) } ?? .number(double(token, in: text))
    }

    /// Returns a scanned number that is whole and fits 64 bits, however it is written.
    ///
    /// The digits decide: the nearest double may be whole if the number isn't, or may be another number.
    private static func whole(_ token: JSONToken, in text: Span<UInt8>) -> Int64? {
        if token.kind == .integer { return integer(token, in: text) }
        let (digits, zeros, exponent) = significand(token, in: text)
        // As a number without fraction: its digits, followed by this number of zeros.
        guard !digits.isEmpty else { return 0 }
        let places = exponent + zeros
        guard places >= 0, places <= 19, digits.count <= 19 else { return nil }
        let isNegative = text[token.start] == UInt8(ascii: "-")
        var value: Int64 = 0
        for digit in digits + [UInt8](repeating: 0, count: places) {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowed) = shifted.addingReportingOverflow(isNegative ? -Int64(digit) : Int64(digit))
            guard !overflow, !overflowed else { return nil }
            value = sum
        }
        return value
    }

    /// Splits a number into its digits up to the last nonzero one, the count of zeros after that, and the exponent of
    /// the last written digit.
    private static func significand(
        _ token: JSONToken,
        in text: Span<UInt8>
    ) -> (digits: [UInt8], zeros: Int, exponent: Int) {
        var digits: [UInt8] = []
        var zeros = 0
        var exponent = 0
        var isFraction = false
        var index = token.start
        while index < token.end, text[index] | 0x20 != UInt8(ascii: "e") {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: ".") { isFraction = true }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { continue }
            if isFraction { exponent -= 1 }
            if byte == UInt8(ascii: "0") {
                if !digits.isEmpty { zeros += 1 }
                continue
            }
            digits += [UInt8](repeating: 0, count: zeros)
            digits.append(byte - UInt8(ascii: "0"))
            zeros = 0
        }
        return (digits, zeros, exponent + scale(token, from: index + 1, in: text))
    }

    /// Returns the written exponent, limited to a million, which is as far out of range.
    private static func scale(_ token: JSONToken, from start: Int, in text: Span<UInt8>) -> Int {
        guard start < token.end else { return 0 }
        var scale = 0
        for index in start..<token.end where text[index] >= UInt8(ascii: "0") {
            scale = min(scale * 10 + Int(text[index] - UInt8(ascii: "0")), 1_000_000)
        }
        return text[start] == UInt8(ascii: "-") ? -scale : scale
    }

    /// Whether the number has a nonzero digit before the exponent.
    private static func hasDigits(_ token: JSONToken, in text: Span<UInt8>) -> Bool {
        for index in token.start..<token.end {
            if text[index] | 0x20 == UInt8(ascii: "e") { return false }
            if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(text[index]) { return true }
        }
        return false
    }

    /// Returns a scanned number without fraction and exponent; nil if it doesn't fit 64 bits.
    static func integer(_ token: JSONToken, in text: Span<UInt8>) -> Int64? {
        guard token.kind == .integer else { return nil }
        let isNegative = text[token.start] == UInt8(ascii: "-")
        if !isNegative, token.end - token.start <= 18 {
            var value: Int64 = 0
            // A number of 18 digits never overflows.
            for index in token.start..<token.end { value = value &* 10 &+ Int64(text[index] & 0xF) }
            return value
        }
        var value: Int64 = 0
        for index in (isNegative ? token.start + 1 : token.start)..<token.end {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            let digit = Int64(text[index] - UInt8(ascii: "0"))
            // Accumulated below zero, because the least number has no positive counterpart.
            let (sum, overflowed) =
                isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
            guard !overflowed else { return nil }
            value = sum
        }
        return value
    }

    private static func skipDigits(_ text: Span<UInt8>, at index: inout Int) throws(JSONError) {
        let first = index
        while index < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) { index += 1 }
        guard index > first else { throw .syntax }
    }
}
