// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// An authentication scheme that a server offers in a response, or the error it reports for one.
///
/// All of it is untrusted. Schemes and parameter names are compared without regard to case, so they are kept in
/// lower case.
///
/// Wire: `WWW-Authenticate`. [RFC 9110, 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1).
public struct AuthenticationChallenge: Sendable, Hashable {
    private static let maximumLength = 16_384
    private static let maximumChallenges = 32

    /// The scheme in lower case, such as `bearer`.
    public let scheme: String
    /// The parameters, their names in lower case.
    ///
    /// If a name comes twice, which RFC 9110, 11.2 forbids, the first one counts.
    public fileprivate(set) var parameters: [String: String]
    /// The credential-like text that some schemes, such as `Negotiate`, have instead of parameters.
    fileprivate(set) var token68: String?

    init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme.lowercased()
        self.token68 = token68
        self.parameters = parameters
    }

    /// Reads the challenges in the lines of a `WWW-Authenticate` field, which are untrusted, in order.
    ///
    /// - Returns: The first 32 readable challenges; an empty array if the lines are longer than 16 KiB together.
    public static func challenges(in lines: [String]) -> [AuthenticationChallenge] {
        guard lines.reduce(0, { $0 + $1.utf8.count }) <= maximumLength else { return [] }
        let all = lines.flatMap { line in
            var parser = ChallengeParser(line)
            return parser.parse(atMost: maximumChallenges)
        }
        return Array(all.prefix(maximumChallenges))
    }

    /// Whether the challenge is about an access token: `Bearer` or `DPoP`.
    package var isAboutAccessTokens: Bool { scheme == "bearer" || scheme == "dpop" }

    /// The error code, such as `invalid_token`; nil if the server gave no code.
    package var error: String? { parameters["error"] }
}

/// A parser of one line of the field, byte by byte.
///
/// A comma separates challenges and parameters alike: a name with an equals sign after it belongs to the challenge
/// before it, any other begins a new one. Unreadable text is skipped up to the next comma outside of quotes, and the
/// rest still counts. Time and memory are bounded for any input.
///
/// Wire: `challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ]` (RFC 9110, 11.3).
private struct ChallengeParser {
    private static let maximumParameters = 64

    private let bytes: [UInt8]
    private var position = 0
    private var found: [AuthenticationChallenge] = []

    init(_ line: String) { bytes = Array(line.utf8) }

    mutating func parse(atMost limit: Int) -> [AuthenticationChallenge] {
        while found.count <= limit {
            skip { Self.isSpace($0) || $0 == UInt8(ascii: ",") }
            guard next != nil else { break }
            if !element() { skipElement() }
        }
        return found
    }

    /// Reads the text between two commas, and returns whether it was readable.
    private mutating func element() -> Bool {
        let start = position
        if addParameter() { return isAtElementEnd }
        position = start
        guard let scheme = text(while: Self.isTokenByte) else { return false }
        // A scheme must be followed by a space.
        let isAlone = isAtElementEnd
        guard isAlone || next.map(Self.isSpace) ?? false else { return false }
        found.append(AuthenticationChallenge(scheme: scheme))
        if isAlone { return true }
        skip(while: Self.isSpace)
        let value = position
        // Letters, digits and `-._~+/`, with equals signs only at the end.
        if text(while: Self.isToken68Byte) != nil {
            skip { $0 == UInt8(ascii: "=") }
            if isAtElementEnd {
                found[found.count - 1].token68 = String(decoding: bytes[value..<position], as: UTF8.self)
                return true
            }
        }
        position = value
        return addParameter() && isAtElementEnd
    }

    /// Reads a parameter of the last challenge, and returns whether there is one.
    ///
    /// A parameter before any scheme has no challenge to belong to, and is dropped.
    private mutating func addParameter() -> Bool {
        guard let name = text(while: Self.isTokenByte)?.lowercased() else { return false }
        skip(while: Self.isSpace)
        guard next == UInt8(ascii: "=") else { return false }
        position += 1
        skip(while: Self.isSpace)
        guard let value = quotedString() ?? text(while: Self.isTokenByte) else { return false }
        let last = found.count - 1
        guard last >= 0, found[last].parameters.count < Self.maximumParameters, found[last].parameters[name] == nil
        else { return true }
        found[last].parameters[name] = value
        return true
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether only space is left before the next comma or the end.
    private var isAtElementEnd: Bool {
        let rest = bytes[position...].drop(while: Self.isSpace)
        return rest.isEmpty || rest.first == UInt8(ascii: ",")
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while let byte = next, isSkipped(byte) { position += 1 }
    }

    /// Skips to the next comma outside of quotes.
    private mutating func skipElement() {
        while let byte = next, byte != UInt8(ascii: ",") {
            if byte != UInt8(ascii: "\"") {
                position += 1
            } else if quotedString() == nil {
                // The quote never ends, so no later comma is surely outside of it.
                position = bytes.count
            }
        }
    }

    /// Reads one or more bytes; returns nil if there is none.
    private mutating func text(while isRead: (UInt8) -> Bool) -> String? {
        let start = position
        skip(while: isRead)
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// Reads a quoted string, without its backslashes; returns nil if there is no quote or the quote never ends.
    private mutating func quotedString() -> String? {
        guard next == UInt8(ascii: "\"") else { return nil }
        let start = position
        position += 1
        var content: [UInt8] = []
        while var byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), let escaped = next {
                byte = escaped
                position += 1
            }
            content.append(byte)
        }
        position = start
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        TokenCharacters.isUnreserved(byte) || "!#$%&'*+^`|".utf8.contains(byte)
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        TokenCharacters.isUnreserved(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
}
