// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// An absolute URL, as its origin and what is sent to it.
///
/// The description shows the origin alone: paths and queries of URLs are often secrets.
package struct AbsoluteURL: Sendable, Hashable, Redacted {
    /// The scheme and authority, as ``BaseURL/origin``.
    package let origin: String
    /// The path and query as they are sent, beginning with a slash.
    package let target: String

    /// Checks an absolute URL without a user, which may be untrusted; drops a fragment.
    ///
    /// - Throws: ``BaseURLError`` (`malformed`, `unsupportedScheme`, `insecure`, `unexpectedPart`).
    package init(_ text: String, insecureHTTP: BaseURL.InsecureHTTP = .refuse) throws(BaseURLError) {
        guard let reference = URIReference(text) else { throw BaseURLError(.malformed) }
        try self.init(reference, insecureHTTP: insecureHTTP)
    }

    init(_ reference: URIReference, insecureHTTP: BaseURL.InsecureHTTP) throws(BaseURLError) {
        guard let scheme = reference.scheme, let authority = reference.authority else { throw BaseURLError(.malformed) }
        origin = try BaseURL("\(scheme)://\(authority)", insecureHTTP: insecureHTTP).origin
        let path = reference.path.isEmpty ? "/" : reference.path
        target = reference.query.map { "\(path)?\($0)" } ?? path
    }

    package var description: String { "\(origin)/<redacted>" }
}

/// A reference to a resource, absolute or relative, split into its parts and not yet decoded.
///
/// Strict: a part that violates RFC 3986 is refused, not repaired, because another parser may repair it differently and
/// go elsewhere. A fragment is checked and dropped: it is never sent.
struct URIReference {
    private static let maximumLength = 8_192

    var scheme: String?
    var authority: String?
    var path: String
    var query: String?

    /// Splits an untrusted text; returns nil if it is not a valid reference, or is longer than 8 KiB.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, Self.isWellFormed(text) else { return nil }
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return nil }
        let asked = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var rest = asked[0]
        query = asked.count > 1 ? String(asked[1]) : nil
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
        guard !(path + (query ?? "")).utf8.contains(where: "[]".utf8.contains) else { return nil }
    }

    /// Resolves the reference against an absolute one (RFC 3986, 5.2.2 and 5.2.3).
    func resolved(against base: URIReference) -> URIReference {
        var result = self
        result.scheme = scheme ?? base.scheme
        if scheme == nil, authority == nil {
            result.authority = base.authority
            if path.isEmpty {
                (result.path, result.query) = (base.path, query ?? base.query)
                return result
            }
            if !path.hasPrefix("/") {
                let folder = base.path[..<(base.path.lastIndex(of: "/") ?? base.path.startIndex)]
                result.path = "\(folder)/\(path)"
            }
        }
        result.path = Self.withoutDotSegments(result.path)
        return result
    }

    /// Removes the dot segments from a path that begins with a slash or is empty.
    private static func withoutDotSegments(_ path: String) -> String {
        var kept: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false)
        for segment in all {
            if segment != "..", segment != "." {
                kept.append(segment)
            } else if segment == "..", kept.count > 1 {
                // The root has nothing above it.
                kept.removeLast()
            }
        }
        return kept.joined(separator: "/") + (all.last == "." || all.last == ".." ? "/" : "")
    }

    private static func isScheme(_ text: Substring) -> Bool {
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        return text.utf8.first.map(isLetter) ?? false
            && text.utf8.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
    }

    /// Whether a text has only unreserved and reserved characters, and percent signs with two hex digits after them.
    private static func isWellFormed(_ text: String) -> Bool {
        FormEncoding.hasValidEscapes(text.utf8)
            && text.utf8.allSatisfy { TokenCharacters.isUnreserved($0) || "%:/?#[]@!$&'()*+,;=".utf8.contains($0) }
    }
}
