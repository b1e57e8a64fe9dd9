// SPDX-License-Identifier: Apache-2.0

/// A strict parser of one JSON text, in linear time.
///
/// Accepts exactly the JSON of [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) in UTF-8, of limited depth. Refuses
/// whatever two readers could read differently: a duplicate name, a lone surrogate, a number that no double represents.
struct JSONParser {
    /// The longest name, in bytes, that has escapes or is not ASCII.
    ///
    /// A dictionary hashes a name as characters: in quadratic time for long runs of combining marks, 23 seconds for a
    /// quarter of a megabyte.
    private static let longestName = 256

    private var position = 0
    private var levels: Int

    /// Parses a text.
    static func parse(_ bytes: [UInt8], maximumDepth: Int) throws(JSONError) -> JSONValue {
        // RFC 8259, 8.1: UTF-8. Without this check, each string would be repaired on its own.
        guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
        var parser = JSONParser(levels: maximumDepth)
        let text = bytes.span
        let value = try parser.value(text)
        guard parser.next(text) == nil else { throw .syntax }
        return value
    }

    private mutating func value(_ text: Span<UInt8>) throws(JSONError) -> JSONValue {
        switch next(text) {
        case UInt8(ascii: "\""): return .string(try string(text))
        case UInt8(ascii: "{"): return .object(try nested { (parser) throws(JSONError) in try parser.object(text) })
        case UInt8(ascii: "["): return .array(try nested { (parser) throws(JSONError) in try parser.array(text) })
        case UInt8(ascii: "t"): return try word("true", .boolean(true), text)
        case UInt8(ascii: "f"): return try word("false", .boolean(false), text)
        case UInt8(ascii: "n"): return try word("null", .null, text)
        default: return try number(text)
        }
    }

    /// Reads a list or an object within the allowed depth.
    private mutating func nested<Value>(
        _ read: (inout JSONParser) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        guard levels > 0 else { throw .tooDeep }
        levels -= 1
        position += 1
        let value = try read(&self)
        levels += 1
        return value
    }

    private mutating func object(_ text: Span<UInt8>) throws(JSONError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        // The outermost object, of a token for example: this saves a fifth of the time. Many small ones would take much
        // memory.
        if position == 1 { members.reserveCapacity(16) }
        if skip(UInt8(ascii: "}"), text) { return members }
        repeat {
            guard next(text) == UInt8(ascii: "\"") else { throw .syntax }
            let name = try string(text, longest: Self.longestName)
            guard skip(UInt8(ascii: ":"), text) else { throw .syntax }
            // RFC 7515, 4 and RFC 7519, 4: names MUST be unique. Two spellings of one accented letter count as one
            // name, because a dictionary can't distinguish them.
            guard members.updateValue(try value(text), forKey: name) == nil else { throw .duplicateMember }
        } while try continues(until: UInt8(ascii: "}"), text)
        return members
    }

    private mutating func array(_ text: Span<UInt8>) throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        if skip(UInt8(ascii: "]"), text) { return elements }
        repeat {
            elements.append(try value(text))
        } while try continues(until: UInt8(ascii: "]"), text)
        return elements
    }

    private mutating func continues(until end: UInt8, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        if skip(UInt8(ascii: ","), text) { return true }
        guard skip(end, text) else { throw .syntax }
        return false
    }

    /// Skips white space and returns the next byte; nil at the end.
    private mutating func next(_ text: Span<UInt8>) -> UInt8? {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Skips white space and then a byte, if it is the next one.
    private mutating func skip(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard next(text) == byte else { return false }
        position += 1
        return true
    }

    private mutating func word(
        _ word: StaticString,
        _ value: JSONValue,
        _ text: Span<UInt8>
    ) throws(JSONError) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            // Safe: the index is less than the word's length.
            guard position < text.count, text[position] == (unsafe word.utf8Start[index]) else { throw .syntax }
            position += 1
        }
        return value
    }

    /// Reads a string whose opening quote is next.
    ///
    /// If it has escapes or is not ASCII, it may have at most `longest` bytes.
    private mutating func string(_ text: Span<UInt8>, longest: Int = .max) throws(JSONError) -> String {
        position += 1
        let start = position
        // The decoded text until after the last escape.
        var (decoded, rest, isPlain) = ([UInt8](), start, true)
        while position < text.count {
            let byte = text[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                let end = position - 1
                guard isPlain || end - start <= longest else { throw .nameTooLong }
                let tail = String(copying: text.extracting(rest..<end))
                return rest == start ? tail : String(decoding: decoded + tail.utf8, as: UTF8.self)
            case UInt8(ascii: "\\"):
                decoded += String(copying: text.extracting(rest..<(position - 1))).utf8
                decoded += String(try escape(text)).utf8
                (rest, isPlain) = (position, false)
            case 0..<0x20: throw .syntax
            case 0x80...: isPlain = false
            default: break
            }
        }
        throw .syntax
    }

    /// Reads an escape after its backslash.
    private mutating func escape(_ text: Span<UInt8>) throws(JSONError) -> Unicode.Scalar {
        guard position < text.count else { throw .syntax }
        let byte = text[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw .syntax
        }
        let unit = try codeUnit(text)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // A lone surrogate is not a character (RFC 8259, 8.2), and two readers would decode it to different texts.
        guard (0xD800...0xDBFF).contains(unit) else { throw .syntax }
        _ = try word("\\u", .null, text)
        let second = try codeUnit(text)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
        else { throw .syntax }
        return scalar
    }

    private mutating func codeUnit(_ text: Span<UInt8>) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard position < text.count, let digit = Hexadecimal.digit(text[position]) else { throw .syntax }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}

/// [RFC 8259, 6](https://www.rfc-editor.org/rfc/rfc8259#section-6).
extension JSONParser {
    private mutating func number(_ text: Span<UInt8>) throws(JSONError) -> JSONValue {
        let start = position
        if position < text.count, text[position] == UInt8(ascii: "-") { position += 1 }
        let integer = try digits(text, withoutLeadingZero: true)
        let end = position
        if position < text.count, text[position] == UInt8(ascii: ".") {
            position += 1
            _ = try digits(text)
        }
        if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < text.count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
                position += 1
            }
            _ = try digits(text)
        }
        // Eighteen characters never overflow.
        if position == end, end - start <= 18 { return .integer(text[start] == UInt8(ascii: "-") ? -integer : integer) }
        let written = String(copying: text.extracting(start..<position))
        let value = Double(written) ?? .nan
        let whole = Self.whole(written)
        // One reader would read a number that no double represents as infinity or zero, and another would refuse it.
        guard value.isFinite, value != 0 || whole == 0 else { throw .syntax }
        return whole.map { .integer($0) } ?? .number(value)
    }

    /// Reads one or more digits and returns their value, which is meaningless if there are more than 18.
    private mutating func digits(_ text: Span<UInt8>, withoutLeadingZero: Bool = false) throws(JSONError) -> Int64 {
        let first = position
        var value: Int64 = 0
        while position < text.count, case let digit = text[position] &- UInt8(ascii: "0"), digit <= 9 {
            value = value &* 10 &+ Int64(digit)
            position += 1
        }
        guard position > first else { throw .syntax }
        guard !withoutLeadingZero || position == first + 1 || text[first] != UInt8(ascii: "0") else { throw .syntax }
        return value
    }

    /// Returns a number that is whole and fits 64 bits, however it is written: `1.0` and `1e0` are `1`.
    ///
    /// The digits decide: the nearest double may be whole if the number isn't, or may be another number.
    private static func whole(_ number: String) -> Int64? {
        let parts = number.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let isNegative = parts[0].first == UInt8(ascii: "-")
        let significand = parts[0].drop { $0 == UInt8(ascii: "-") }.split(separator: UInt8(ascii: "."))
        var digits = Array(significand.joined())
        let written = digits.count
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        guard digits.contains(where: { $0 != UInt8(ascii: "0") }) else { return 0 }
        // A greater exponent is as far out of range, and could overflow below.
        guard let exponent = parts.count > 1 ? Int(Substring(parts[1])) : 0,
            (-1_000_000...1_000_000).contains(exponent)
        else { return nil }
        // The number is the digits, followed by this number of zeros.
        let zeros = exponent + written - digits.count - (significand.count > 1 ? significand[1].count : 0)
        let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
        guard zeros >= 0, zeros + digits.count - leading <= 19 else { return nil }
        digits += [UInt8](repeating: UInt8(ascii: "0"), count: zeros)
        return Int64((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
    }
}

/// The reasons for which a text is refused.
package enum JSONError: Error {
    /// The text is not JSON by RFC 8259, or has a value that readers read differently.
    case syntax
    /// The text is not UTF-8.
    case notUTF8
    /// The text is JSON, but not an object.
    case notAnObject
    /// An object names a member twice.
    case duplicateMember
    /// A member's name that has escapes or is not ASCII is longer than 256 bytes.
    case nameTooLong
    /// Lists and objects are nested deeper than allowed.
    case tooDeep
}

extension String {
    /// Copies bytes that are known to be UTF-8.
    fileprivate init(copying bytes: Span<UInt8>) {
        // Safe: the buffer is read within the call that lends it.
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
