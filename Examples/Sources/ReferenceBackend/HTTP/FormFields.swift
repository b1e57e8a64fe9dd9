// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import NIOCore
internal import ResourceServer

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The fields of a query or an `application/x-www-form-urlencoded` body.
struct FormFields: Sendable {
    private let values: [String: String]

    /// Decodes a form.
    ///
    /// - Returns: Nil if it is malformed, has too much text beyond ASCII, or a duplicate field: a reader of the first
    ///   value and a reader of the last one must not see different requests.
    ///   [RFC 6749, 3.1](https://www.rfc-editor.org/rfc/rfc6749#section-3.1).
    init?(encoded: String) {
        var values: [String: String] = [:]
        for pair in encoded.utf8.split(separator: UInt8(ascii: "&")).prefix(64) {
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = sides.first, let name = Self.decode(first),
                let value = sides.count == 2 ? Self.decode(sides[1]) : "", values[name] == nil
            else { return nil }
            values[name] = value
        }
        self.values = values
    }

    /// Returns the form in a request's body.
    ///
    /// - Returns: Nil if there is no valid form.
    /// - Throws: ``APIFailure`` (`request_too_large`).
    static func form(of request: Request) async throws -> FormFields? {
        guard JSONRequest.mediaType(of: request) == "application/x-www-form-urlencoded" else { return nil }
        return FormFields(encoded: String(buffer: try await JSONRequest.body(of: request)))
    }

    subscript(name: String) -> String? { values[name] }

    private static func decode(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return TextLimit.isExceeded(by: bytes) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }

    /// Percent-encodes a value for a query.
    static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + [byte].lowercaseHex.uppercased()
            }
        }.joined()
    }
}
