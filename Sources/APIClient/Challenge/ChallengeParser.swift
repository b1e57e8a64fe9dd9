// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// A parser for the challenges of a `WWW-Authenticate` field.
///
/// A comma separates challenges and parameters alike: a name with an equals sign after it belongs to the challenge
/// before it, any other begins a new one. Unreadable text is skipped up to the next comma outside of quotes, and the
/// rest still counts. Time and memory are bounded for any input.
///
/// Wire: `challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ]`.
/// [RFC 9110, 11.3](https://www.rfc-editor.org/rfc/rfc9110#section-11.3).
struct ChallengeParser {
    private static let maximumLength = 16_384
    private static let maximumChallenges = 32
    private static let maximumParameters = 64

    private var scanner: FieldScanner
    private var found: [AuthenticationChallenge] = []

    private init(_ line: String) {
        scanner = FieldScanner(line)
    }

    static func challenges(in lines: [String]) -> [AuthenticationChallenge] {
        guard lines.reduce(0, { $0 + $1.utf8.count }) <= maximumLength else { return [] }
        let all = lines.flatMap { line in
            var parser = ChallengeParser(line)
            return parser.parse()
        }
        return Array(all.prefix(maximumChallenges))
    }

    private mutating func parse() -> [AuthenticationChallenge] {
        while !scanner.isAtEnd, found.count <= Self.maximumChallenges {
            scanner.skip(while: FieldScanner.isSeparator)
            guard !scanner.isAtEnd else { break }
            if !element() { scanner.skipElement() }
        }
        return found
    }

    /// Reads the text between two commas, and returns whether it was readable.
    private mutating func element() -> Bool {
        let start = scanner
        if let parameter = parameter() {
            // A parameter before any scheme has no challenge to belong to.
            guard !found.isEmpty else { return false }
            add(parameter)
            return scanner.isAtElementEnd
        }
        scanner = start
        guard let scheme = scanner.token() else { return false }
        found.append(AuthenticationChallenge(scheme: scheme))
        if scanner.isAtElementEnd { return true }
        // A scheme must be followed by a space.
        guard scanner.skip(while: FieldScanner.isSpace) > 0 else {
            found.removeLast()
            return false
        }
        return schemeValue()
    }

    /// Reads the text after a scheme and a space: a token68 or the first parameter.
    private mutating func schemeValue() -> Bool {
        let start = scanner
        if let text = scanner.token68(), scanner.isAtElementEnd {
            found[found.count - 1].token68 = text
            return true
        }
        scanner = start
        guard let parameter = parameter() else { return false }
        add(parameter)
        return scanner.isAtElementEnd
    }

    private mutating func parameter() -> (name: String, value: String)? {
        guard let name = scanner.token() else { return nil }
        scanner.skip(while: FieldScanner.isSpace)
        guard scanner.take(UInt8(ascii: "=")) else { return nil }
        scanner.skip(while: FieldScanner.isSpace)
        guard let value = scanner.quotedString() ?? scanner.token() else { return nil }
        return (name.lowercased(), value)
    }

    private mutating func add(_ parameter: (name: String, value: String)) {
        let last = found.count - 1
        guard found[last].parameters.count < Self.maximumParameters, found[last].parameters[parameter.name] == nil
        else { return }
        found[last].parameters[parameter.name] = parameter.value
    }
}

/// A scanner that reads a header field's value byte by byte.
///
/// [RFC 9110, 5.6](https://www.rfc-editor.org/rfc/rfc9110#section-5.6).
private struct FieldScanner {
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

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        TokenCharacters.isUnreserved(byte) || "!#$%&'*+^`|".utf8.contains(byte)
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        TokenCharacters.isUnreserved(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
}
