// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The path and query of a request, encoded so that nothing in them can end the path or begin a header.
///
/// [RFC 3986, 3.3 and 3.4](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).
package enum RequestTarget {
    /// Returns the target, or nil if the path is invalid.
    static func make(prefix: String, path: String, query: [QueryItem]) -> String? {
        // "//host" would be read as another authority, and a dot segment could leave the prefix.
        guard path.hasPrefix("/") || (path.isEmpty && !prefix.isEmpty), !path.hasPrefix("//"),
            !path.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }),
            !URIReference.hasDotSegment(path)
        else { return nil }
        let target = prefix + encode(path, keeping: pathBytes)
        return query.isEmpty ? target : "\(target)?\(Self.query(query))"
    }

    /// Returns the encoded query, without the question mark.
    package static func query(_ items: [QueryItem]) -> String {
        items.map { "\(encode($0.name, keeping: unreserved))=\(encode($0.value, keeping: unreserved))" }
            .joined(separator: "&")
    }

    private static func encode(_ text: String, keeping kept: ASCIISet) -> String {
        if text.utf8.allSatisfy(kept.contains) { return text }
        var result: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            if kept.contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let unreserved = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    /// The `pchar` characters, the slash, and the percent sign of a path that is already encoded.
    private static let pathBytes = unreserved.adding("!$&'()*+,;=:@/%")
}

/// A set of ASCII characters, one bit each.
private struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set.
    ///
    /// - Parameter characters: The characters. Others than ASCII are left out.
    init(_ characters: StaticString) {
        add(characters)
    }

    /// Returns the set with more characters.
    func adding(_ characters: StaticString) -> ASCIISet {
        var result = self
        result.add(characters)
        return result
    }

    private mutating func add(_ characters: StaticString) {
        for byte in "\(characters)".utf8 where byte < 0x80 {
            if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte - 64) }
        }
    }

    /// Whether the set contains a byte.
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low & (1 << byte) != 0 }
        return byte < 0x80 && high & (1 << (byte - 64)) != 0
    }
}

/// An item of a query.
///
/// Its description shows nothing, because queries hold codes and states.
public struct QueryItem: Sendable, Hashable, Redacted {
    /// The name, not encoded.
    public let name: String
    /// The value, not encoded.
    public let value: String

    /// Creates an item.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
