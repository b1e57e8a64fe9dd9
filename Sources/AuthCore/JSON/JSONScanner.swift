// SPDX-License-Identifier: Apache-2.0

/// A scanner that makes one strict pass over a JSON text.
///
/// Accepts exactly the JSON of [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259), with unique member names and limited
/// depth. Reports the positions of values, and doesn't decode them. The text must be valid UTF-8. Takes linear time.
struct JSONScanner {
    /// The offset of the next byte to scan.
    private(set) var position = 0
    private let maximumDepth: Int
    private var depth = 0
    private var names = MemberNames()

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    /// Whether the text's value is an object; if so, the position is at its opening brace.
    mutating func isAtObject(in text: Span<UInt8>) -> Bool {
        skipSpace(in: text)
        return position < text.count && text[position] == UInt8(ascii: "{")
    }

    /// Scans one value.
    mutating func value(in text: Span<UInt8>) throws(JSONError) -> JSONToken {
        skipSpace(in: text)
        guard position < text.count else { throw .syntax }
        let start = position
        switch text[position] {
        case UInt8(ascii: "\""):
            return try string(in: text)
        case UInt8(ascii: "{"):
            try object(in: text) { _, _ in }
            return JSONToken(kind: .object, start: start, end: position)
        case UInt8(ascii: "["):
            try array(in: text) { _ in }
            return JSONToken(kind: .array, start: start, end: position)
        case UInt8(ascii: "t"):
            return try word("rue", .true, in: text)
        case UInt8(ascii: "f"):
            return try word("alse", .false, in: text)
        case UInt8(ascii: "n"):
            return try word("ull", .null, in: text)
        default:
            return try JSONNumber.scan(text, at: &position)
        }
    }

    /// Scans an object, whose opening brace is next, and reports its members.
    mutating func object(
        in text: Span<UInt8>,
        member: (_ name: JSONName, _ value: JSONToken) -> Void
    ) throws(JSONError) {
        try enter()
        var scope = names.open()
        if try !closes(UInt8(ascii: "}"), in: text) {
            repeat {
                let name = try name(in: text)
                // RFC 7515, 4 and RFC 7519, 4: names MUST be unique. A parser may take the last of two instead; this
                // one refuses.
                guard names.insert(name, of: text, in: &scope) else { throw .duplicateMember }
                member(name, try value(in: text))
            } while try continues(until: UInt8(ascii: "}"), in: text)
        }
        names.close(scope)
        depth -= 1
    }

    /// Scans a list, whose opening bracket is next, and reports its elements.
    mutating func array(in text: Span<UInt8>, element: (JSONToken) -> Void) throws(JSONError) {
        try enter()
        if try !closes(UInt8(ascii: "]"), in: text) {
            repeat {
                element(try value(in: text))
            } while try continues(until: UInt8(ascii: "]"), in: text)
        }
        depth -= 1
    }

    /// Checks that only white space follows.
    mutating func end(of text: Span<UInt8>) throws(JSONError) {
        skipSpace(in: text)
        guard position == text.count else { throw .syntax }
    }

    /// Moves to a position that is already known.
    mutating func move(to position: Int) {
        self.position = position
    }

    // MARK: Structure

    mutating func enter() throws(JSONError) {
        guard depth < maximumDepth else { throw .tooDeep }
        depth += 1
        position += 1
    }

    @inline(__always)
    mutating func closes(_ end: UInt8, in text: Span<UInt8>) throws(JSONError) -> Bool {
        skipSpace(in: text)
        guard position < text.count else { throw .syntax }
        guard text[position] == end else { return false }
        position += 1
        return true
    }

    @inline(__always)
    mutating func continues(until end: UInt8, in text: Span<UInt8>) throws(JSONError) -> Bool {
        skipSpace(in: text)
        guard position < text.count else { throw .syntax }
        let byte = text[position]
        position += 1
        guard byte == UInt8(ascii: ",") || byte == end else { throw .syntax }
        return byte != end
    }

    /// Scans a member's name and the colon after it.
    @inline(__always)
    mutating func name(in text: Span<UInt8>) throws(JSONError) -> JSONName {
        skipSpace(in: text)
        guard position < text.count, text[position] == UInt8(ascii: "\"") else { throw .syntax }
        let name = try JSONName.scan(text, at: &position)
        skipSpace(in: text)
        guard position < text.count, text[position] == UInt8(ascii: ":") else { throw .syntax }
        position += 1
        return name
    }

    @inline(__always)
    mutating func skipSpace(in text: Span<UInt8>) {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Scans a literal, whose first letter was seen.
    @inline(__always)
    private mutating func word(
        _ rest: StaticString,
        _ kind: JSONToken.Kind,
        in text: Span<UInt8>
    ) throws(JSONError) -> JSONToken {
        let start = position
        position += 1 + rest.utf8CodeUnitCount
        guard position <= text.count else { throw .syntax }
        for index in 0..<rest.utf8CodeUnitCount {
            // Safe: the index is less than the literal's length.
            guard text[start + 1 + index] == (unsafe rest.utf8Start[index]) else { throw .syntax }
        }
        return JSONToken(kind: kind, start: start, end: position)
    }

    @inline(__always)
    mutating func string(in text: Span<UInt8>) throws(JSONError) -> JSONToken {
        try JSONString.scan(text, at: &position)
    }
}

/// Decoding of a text that was scanned before, and so has no syntax error and no duplicate member.
extension JSONScanner {
    /// Decodes the next value.
    mutating func read(in text: Span<UInt8>) throws(JSONError) -> JSONValue {
        skipSpace(in: text)
        guard position < text.count else { throw .syntax }
        switch text[position] {
        case UInt8(ascii: "{"): return .object(try readObject(in: text))
        case UInt8(ascii: "["): return .array(try readArray(in: text))
        default:
            let token = try value(in: text)
            switch token.kind {
            case .null: return .null
            case .true: return .boolean(true)
            case .false: return .boolean(false)
            case .integer, .number:
                return JSONNumber.value(token, in: text)
            default: return .string(JSONString.text(token, in: text))
            }
        }
    }

    /// Decodes an object, whose opening brace is next.
    mutating func readObject(in text: Span<UInt8>) throws(JSONError) -> [String: JSONValue] {
        try enter()
        defer { depth -= 1 }
        var members: [String: JSONValue] = [:]
        guard try !closes(UInt8(ascii: "}"), in: text) else { return members }
        repeat {
            let name = JSONString.text(try name(in: text).token, in: text)
            members[name] = try read(in: text)
        } while try continues(until: UInt8(ascii: "}"), in: text)
        return members
    }

    private mutating func readArray(in text: Span<UInt8>) throws(JSONError) -> [JSONValue] {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        guard try !closes(UInt8(ascii: "]"), in: text) else { return elements }
        repeat {
            elements.append(try read(in: text))
        } while try continues(until: UInt8(ascii: "]"), in: text)
        return elements
    }
}

extension JSONScanner {
    /// Moves to the value of a member of the next object; false if there is no such member.
    mutating func seek(_ name: String, in text: Span<UInt8>) throws(JSONError) -> Bool {
        try enter()
        guard try !closes(UInt8(ascii: "}"), in: text) else { return false }
        repeat {
            // RFC 7515, 5.3: compared without normalization, which `String` would apply.
            let written = JSONString.text(try self.name(in: text).token, in: text)
            if written.utf8.elementsEqual(name.utf8) { return true }
            _ = try value(in: text)
        } while try continues(until: UInt8(ascii: "}"), in: text)
        return false
    }
}

/// The reasons for which a text is refused.
enum JSONError: Error {
    /// The text is not JSON by RFC 8259.
    case syntax
    /// The text is JSON, but not an object.
    case notAnObject
    /// An object names a member twice.
    case duplicateMember
    /// A member's name that has escapes or is not ASCII is too long to compare.
    case nameTooLong
    /// Lists and objects are nested deeper than allowed.
    case tooDeep
}
