// SPDX-License-Identifier: Apache-2.0

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
    /// - Returns: The target, absolute.
    ///
    /// [RFC 3986, 5.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-5.2.2).
    func resolved(against base: URIReference) -> URIReference {
        if scheme != nil {
            return URIReference(
                scheme: scheme,
                authority: authority,
                path: DotSegment.removed(from: path),
                query: query
            )
        }
        if authority != nil {
            return URIReference(
                scheme: base.scheme,
                authority: authority,
                path: DotSegment.removed(from: path),
                query: query
            )
        }
        let target: String =
            if path.isEmpty {
                base.path
            } else if path.hasPrefix("/") {
                DotSegment.removed(from: path)
            } else {
                DotSegment.removed(from: merged(with: base))
            }
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

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// Whether a text has only unreserved and reserved characters, and percent signs with two hex digits after them.
    private static func isWellFormed(_ text: String) -> Bool {
        var digitsDue = 0
        for byte in text.utf8 {
            if digitsDue > 0 {
                guard isHexadecimal(byte) else { return false }
                digitsDue -= 1
            } else if byte == UInt8(ascii: "%") {
                digitsDue = 2
            } else if !isLetter(byte), !isDigit(byte), !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
        }
        return digitsDue == 0
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
