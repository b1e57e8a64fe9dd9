// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation

/// A response, byte for byte.
struct RawResponse: Sendable {
    let status: Int
    let body: String
    /// The header fields; names in lower case.
    let fields: [String: String]

    init(_ text: String) throws {
        guard let end = text.firstRange(of: "\r\n\r\n") else { throw RawSocketError("no response, but: \(text)") }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let code = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw RawSocketError("no status in: \(text)")
        }
        status = code
        body = String(text[end.upperBound...])
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        self.fields = fields
    }
}
#endif
