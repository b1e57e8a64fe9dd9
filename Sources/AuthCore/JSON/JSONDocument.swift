/// The JSON object of a file, which can lose one member without a byte of the others being touched.
///
/// Read as strictly as a token's.
package struct JSONDocument: Sendable {
    private struct Member {
        let name: String
        /// From the quote that opens the name to the end of the value.
        let range: Range<Int>
        let value: JSONToken
    }

    private let bytes: [UInt8]
    private let places: [Member]

    /// Scans a file's content; nil where that is not one JSON object in UTF-8 with each member named once.
    ///
    /// - Parameters:
    ///   - bytes: The content. May hold secrets.
    ///   - maximumDepth: How deep lists and objects may lie in each other.
    package init?(_ bytes: [UInt8], maximumDepth: Int = 64) {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var members: [Member] = []
        var scanner = JSONScanner(maximumDepth: maximumDepth)
        let text = bytes.span
        guard scanner.isAtObject(in: text) else { return nil }
        do throws(JSONFault) {
            try scanner.object(in: text) { name, value in
                // A string's token leaves its quotes out.
                let end = value.isString ? value.end + 1 : value.end
                let member = Member(
                    name: JSONString.text(name.token, in: text),
                    range: name.token.start - 1..<end,
                    value: value
                )
                members.append(member)
            }
            try scanner.end(of: text)
        } catch {
            return nil
        }
        self.bytes = bytes
        places = members
    }

    /// One member's value.
    ///
    /// - Parameter name: Which one; compared by its characters' bytes.
    package subscript(name: String) -> JSONValue? {
        index(of: name).map { JSONObject(bytes, in: 0..<bytes.count).value(places[$0].value) }
    }

    /// All members' values.
    package var members: [String: JSONValue] { JSONObject(bytes, in: 0..<bytes.count).members }

    /// The text without one member; every byte of the others is as it was.
    ///
    /// - Parameter name: Which one.
    /// - Returns: The text; the same where there is no such member.
    package func removing(_ name: String) -> [UInt8] {
        guard let index = index(of: name) else { return bytes }
        let cut: Range<Int>
        if index + 1 < places.count {
            // With the comma behind it, so that the next member takes its place.
            cut = places[index].range.lowerBound..<places[index + 1].range.lowerBound
        } else if index > 0 {
            // With the comma before it.
            cut = places[index - 1].range.upperBound..<places[index].range.upperBound
        } else {
            cut = places[index].range
        }
        return Array(bytes[..<cut.lowerBound] + bytes[cut.upperBound...])
    }

    private func index(of name: String) -> Int? {
        places.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
