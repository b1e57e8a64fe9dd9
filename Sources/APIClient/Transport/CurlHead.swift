// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import AuthCore
import HTTPTypes

/// The lines of a response's head, as libcurl passes them on: split, and otherwise unchanged.
enum CurlHead {
    /// Whether a line is the empty one, which ends the head.
    static func isEnd(_ line: UnsafeRawBufferPointer) -> Bool {
        unsafe line.first == UInt8(ascii: "\n") || line.count == 2 && line.first == UInt8(ascii: "\r")
    }

    /// Returns the status of a status line; zero if there is none.
    static func status(of line: UnsafeRawBufferPointer) -> Int {
        // After the version, which has eight characters.
        let rest = unsafe line.dropFirst(8).drop { $0 == UInt8(ascii: " ") }
        return unsafe number(rest.prefix { $0 > UInt8(ascii: " ") }) ?? 0
    }

    /// Returns the length that a line declares; nil if it is another field.
    static func contentLength(of line: UnsafeRawBufferPointer) -> Int? {
        let name = "content-length:".utf8
        guard line.count > name.count, unsafe zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else {
            return nil
        }
        return unsafe number(ASCIIText.trimmed(line.dropFirst(name.count)))
    }

    /// Returns the fields of a head, without those whose names HTTP forbids.
    static func fields(of head: [UInt8]) -> HTTPFields {
        var fields = HTTPFields()
        for line in head.split(separator: UInt8(ascii: "\n")).dropFirst() {
            if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
                // A value that goes on in the next line. RFC 9112, 5.2.
                guard let last = fields.indices.last else { continue }
                fields[last].value += " " + text(ASCIIText.trimmed(line))
                continue
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(text(line[..<colon]))
            else { continue }
            fields.append(HTTPField(name: name, value: text(ASCIIText.trimmed(line[(colon + 1)...]))))
        }
        return fields
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Returns a number of digits alone; one that is too large is the largest.
    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(text(digits)) ?? .max
    }
}
#endif
