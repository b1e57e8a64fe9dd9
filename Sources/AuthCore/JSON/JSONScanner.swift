/// One strict pass over a JSON text: everything [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) calls JSON and
/// nothing else, with every member named once and a bound on the depth.
///
/// Reads nothing out: it says where the values lie. The text must be valid UTF-8. Linear in its length.
struct JSONScanner {
    /// Where it stands.
    private(set) var position = 0
    private let maximumDepth: Int
    var depth = 0
    private var names = MemberNames()

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    /// Whether the text's value is an object; stands at its opening brace then.
    mutating func isAtObject(in text: Span<UInt8>) -> Bool {
        skipSpace(in: text)
        return position < text.count && text[position] == UInt8(ascii: "{")
    }

    /// Scans one value.
    mutating func value(in text: Span<UInt8>) throws(JSONFault) -> JSONToken {
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

    /// Scans an object, whose opening brace is next, and tells its members.
    mutating func object(
        in text: Span<UInt8>,
        member: (_ name: JSONName, _ value: JSONToken) -> Void
    ) throws(JSONFault) {
        try enter()
        var scope = names.open()
        if try !closes(UInt8(ascii: "}"), in: text) {
            repeat {
                let name = try name(in: text)
                // RFC 7515, 4 and RFC 7519, 4: names MUST be unique; a parser that takes the last is allowed, not this.
                guard names.insert(name, of: text, in: &scope) else { throw .duplicateMember }
                member(name, try value(in: text))
            } while try continues(until: UInt8(ascii: "}"), in: text)
        }
        names.close(scope)
        depth -= 1
    }

    /// Scans a list, whose opening bracket is next, and tells its elements.
    mutating func array(in text: Span<UInt8>, element: (JSONToken) -> Void) throws(JSONFault) {
        try enter()
        if try !closes(UInt8(ascii: "]"), in: text) {
            repeat {
                element(try value(in: text))
            } while try continues(until: UInt8(ascii: "]"), in: text)
        }
        depth -= 1
    }

    /// Makes sure that nothing but white space follows.
    mutating func end(of text: Span<UInt8>) throws(JSONFault) {
        skipSpace(in: text)
        guard position == text.count else { throw .syntax }
    }

    /// Goes to where a value that is already known lies.
    mutating func move(to position: Int) {
        self.position = position
    }

    // MARK: Structure

    mutating func enter() throws(JSONFault) {
        guard depth < maximumDepth else { throw .tooDeep }
        depth += 1
        position += 1
    }

    @inline(__always)
    mutating func closes(_ end: UInt8, in text: Span<UInt8>) throws(JSONFault) -> Bool {
        skipSpace(in: text)
        guard position < text.count else { throw .syntax }
        guard text[position] == end else { return false }
        position += 1
        return true
    }

    @inline(__always)
    mutating func continues(until end: UInt8, in text: Span<UInt8>) throws(JSONFault) -> Bool {
        skipSpace(in: text)
        guard position < text.count else { throw .syntax }
        let byte = text[position]
        position += 1
        guard byte == UInt8(ascii: ",") || byte == end else { throw .syntax }
        return byte != end
    }

    /// Scans a member's name and the colon behind it.
    @inline(__always)
    mutating func name(in text: Span<UInt8>) throws(JSONFault) -> JSONName {
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

    /// Scans a word, whose first letter was seen.
    @inline(__always)
    private mutating func word(
        _ rest: StaticString,
        _ kind: JSONToken.Kind,
        in text: Span<UInt8>
    ) throws(JSONFault) -> JSONToken {
        let start = position
        position += 1 + rest.utf8CodeUnitCount
        guard position <= text.count else { throw .syntax }
        for index in 0..<rest.utf8CodeUnitCount {
            // Safe: as many bytes as the literal has.
            guard text[start + 1 + index] == (unsafe rest.utf8Start[index]) else { throw .syntax }
        }
        return JSONToken(kind: kind, start: start, end: position)
    }

    @inline(__always)
    mutating func string(in text: Span<UInt8>) throws(JSONFault) -> JSONToken {
        try JSONString.scan(text, at: &position)
    }
}
