/// Reading values out of a text that was scanned before, and so holds no fault and no member twice.
extension JSONScanner {
    /// Reads the next value.
    mutating func read(in text: Span<UInt8>) throws(JSONFault) -> JSONValue {
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

    /// Reads an object, whose opening brace is next.
    mutating func readObject(in text: Span<UInt8>) throws(JSONFault) -> [String: JSONValue] {
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

    private mutating func readArray(in text: Span<UInt8>) throws(JSONFault) -> [JSONValue] {
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
    /// Goes to the value of a member of the object that is next; false where there is none of that name.
    mutating func seek(_ name: String, in text: Span<UInt8>) throws(JSONFault) -> Bool {
        try enter()
        guard try !closes(UInt8(ascii: "}"), in: text) else { return false }
        repeat {
            // RFC 7515, 5.3: compared without normalization, which `String` would do.
            let written = JSONString.text(try self.name(in: text).token, in: text)
            if written.utf8.elementsEqual(name.utf8) { return true }
            _ = try value(in: text)
        } while try continues(until: UInt8(ascii: "}"), in: text)
        return false
    }
}
