/// The path and query of a request, encoded so that nothing in them can end the path or begin another header.
///
/// [RFC 3986, 3.3 and 3.4](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).
package enum RequestTarget {
    /// The target, or an error where the path is none that may be sent.
    static func make(prefix: String, path: String, query: [QueryItem]) throws(APIError) -> String {
        // "//host" would be read as another authority, a dot segment as a way out of the prefix.
        guard path.hasPrefix("/") || (path.isEmpty && !prefix.isEmpty), !path.hasPrefix("//"),
            !path.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }),
            !DotSegment.isIn(path)
        else { throw APIError(.invalidEndpoint) }
        let target = prefix + encode(path, keeping: pathBytes)
        return query.isEmpty ? target : "\(target)?\(Self.query(query))"
    }

    /// A query's items, without the question mark.
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
    /// `pchar`, the slash, and the percent sign of a path that is encoded already.
    private static let pathBytes = unreserved.adding("!$&'()*+,;=:@/%")
}
