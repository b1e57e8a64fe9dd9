// SPDX-License-Identifier: Apache-2.0

/// The JSON object of a file, from which a member can be removed without changing the others.
///
/// The other members keep every byte. The parser is as strict as for a token.
package struct JSONDocument: Sendable {
    private struct Member {
        let name: String
        /// The range from the name's opening quote to the end of the value.
        let range: Range<Int>
        let value: JSONToken
    }

    private let bytes: [UInt8]
    private let places: [Member]

    /// Scans a file's content; nil if it is not one JSON object in UTF-8 with unique member names.
    ///
    /// - Parameters:
    ///   - bytes: The content. May contain secrets.
    ///   - maximumDepth: The deepest allowed nesting of lists and objects, in levels.
    package init?(_ bytes: [UInt8], maximumDepth: Int = 64) {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var members: [Member] = []
        var scanner = JSONScanner(maximumDepth: maximumDepth)
        let text = bytes.span
        guard scanner.isAtObject(in: text) else { return nil }
        do throws(JSONError) {
            try scanner.object(in: text) { name, value in
                // A string's token excludes its quotes.
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

    /// Returns one member's value.
    ///
    /// - Parameter name: The member's name, compared byte for byte.
    package subscript(name: String) -> JSONValue? {
        index(of: name).map { JSONObject(bytes, in: 0..<bytes.count).value(places[$0].value) }
    }

    /// The values of all members, by name.
    package var members: [String: JSONValue] { JSONObject(bytes, in: 0..<bytes.count).members }

    /// Returns the text without one member; every byte of the others stays.
    ///
    /// - Parameter name: The member's name.
    /// - Returns: The text, unchanged if there is no such member.
    package func removing(_ name: String) -> [UInt8] {
        guard let index = index(of: name) else { return bytes }
        let cut: Range<Int>
        if index + 1 < places.count {
            // With the comma after the member, so that the next member takes its place.
            cut = places[index].range.lowerBound..<places[index + 1].range.lowerBound
        } else if index > 0 {
            // With the comma before the member.
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
