// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// A reference to a resource, absolute or relative, split into its parts and not yet decoded.
///
/// Strict: a part that violates RFC 3986 is refused, not repaired, because another parser may repair it differently and
/// go elsewhere. A fragment is checked and dropped: it is never sent.
///
/// [RFC 3986, 4.1](https://www.rfc-editor.org/rfc/rfc3986#section-4.1).
struct URIReference: Equatable {
    static let maximumLength = 8_192

    var scheme: String?
    var authority: String?
    var path: String
    var query: String?

    /// Splits a reference.
    ///
    /// Returns nil if the text is not a valid reference, or is longer than 8 KiB.
    ///
    /// - Parameter text: The reference. Untrusted.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, Self.isWellFormed(text) else { return nil }
        var rest = text[...]
        if let mark = rest.firstIndex(of: "#") {
            guard !rest[rest.index(after: mark)...].contains("#") else { return nil }
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/") {
            guard Self.isScheme(rest[..<colon]) else { return nil }
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
        // Brackets may stand only around an IP address, RFC 3986, 3.2.2.
        let brackets: Set<Character> = ["[", "]"]
        guard !path.contains(where: brackets.contains), query?.contains(where: brackets.contains) != true else {
            return nil
        }
    }

    private init(scheme: String?, authority: String?, path: String, query: String?) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
    }

    /// Resolves the reference against a base.
    ///
    /// - Parameter base: An absolute reference.
    ///
    /// [RFC 3986, 5.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-5.2.2).
    func resolved(against base: URIReference) -> URIReference {
        if scheme != nil || authority != nil {
            return URIReference(
                scheme: scheme ?? base.scheme,
                authority: authority,
                path: Self.withoutDotSegments(path),
                query: query
            )
        }
        let target = path.isEmpty ? base.path : Self.withoutDotSegments(path.hasPrefix("/") ? path : merged(with: base))
        let inherited = path.isEmpty ? query ?? base.query : query
        return URIReference(scheme: base.scheme, authority: base.authority, path: target, query: inherited)
    }

    /// Merges the path with a base's path.
    ///
    /// [RFC 3986, 5.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-5.2.3).
    private func merged(with base: URIReference) -> String {
        if base.authority != nil && base.path.isEmpty { return "/" + path }
        guard let slash = base.path.lastIndex(of: "/") else { return path }
        return base.path[...slash] + path
    }

    /// Whether a path has a dot segment, which can lead out of it.
    ///
    /// Also with escaped dots, and between escaped slashes and backslashes: servers decode them before they resolve the
    /// path. [RFC 3986, 5.2.4](https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4).
    static func hasDotSegment(_ path: String) -> Bool {
        var bytes = path.utf8[...]
        var (dots, isDotsAlone) = (0, true)
        while let byte = bytes.popFirst() {
            switch byte == UInt8(ascii: "%") ? escaped(bytes.prefix(2)) : byte {
            case UInt8(ascii: "/"), UInt8(ascii: "\\"):
                if isDotsAlone, dots == 1 || dots == 2 { return true }
                (dots, isDotsAlone) = (0, true)
            case UInt8(ascii: "."): dots += 1
            default: isDotsAlone = false
            }
            if byte == UInt8(ascii: "%"), escaped(bytes.prefix(2)) != nil { bytes = bytes.dropFirst(2) }
        }
        return isDotsAlone && (dots == 1 || dots == 2)
    }

    /// Returns the character of `2e`, `2f` or `5c`, or nil for any other escape.
    private static func escaped(_ digits: Substring.UTF8View) -> UInt8? {
        switch digits.map(ASCIIText.lowercased) {
        case Array("2e".utf8): UInt8(ascii: ".")
        case Array("2f".utf8): UInt8(ascii: "/")
        case Array("5c".utf8): UInt8(ascii: "\\")
        default: nil
        }
    }

    /// Removes the dot segments from a path that begins with a slash or is empty.
    private static func withoutDotSegments(_ path: String) -> String {
        var segments: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in all.enumerated() {
            switch segment {
            case "..":
                // The root has nothing above it.
                if segments.count > 1 { segments.removeLast() }
                if index == all.count - 1 { segments.append("") }
            case ".":
                if index == all.count - 1 { segments.append("") }
            default:
                segments.append(segment)
            }
        }
        return segments.joined(separator: "/")
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// Whether a text has only unreserved and reserved characters, and percent signs with two hex digits after them.
    private static func isWellFormed(_ text: String) -> Bool {
        var digitsDue = 0
        for byte in text.utf8 {
            if digitsDue > 0 {
                guard Hexadecimal.digit(byte) != nil else { return false }
                digitsDue -= 1
            } else if byte == UInt8(ascii: "%") {
                digitsDue = 2
            } else if !TokenCharacters.isUnreserved(byte), !":/?#[]@!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
        }
        return digitsDue == 0
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
