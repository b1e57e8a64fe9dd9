// SPDX-License-Identifier: Apache-2.0

import APIClient

/// The parameters of a form or a query, in order.
///
/// [RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B).
struct Parameters: Sendable {
    var items: [(name: String, value: String)] = []

    init() {}

    /// Decodes parameters; nil if an escape is invalid or the bytes are not UTF-8.
    init?(formEncoded text: some Sequence<UInt8>) {
        for pair in Array(text).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : []) else {
                return nil
            }
            items.append((name, value))
        }
    }

    /// Returns a parameter's value; nil if it is missing or empty, which RFC 6749, 3.1 treats alike.
    subscript(name: String) -> String? {
        items.first { $0.name == name }.map(\.value).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether every name occurs once.
    ///
    /// `resource` may occur more often: RFC 8707, 2.
    var isUnambiguous: Bool {
        let names = items.map(\.name).filter { $0 != "resource" }
        return Set(names).count == names.count
    }

    /// Returns all values of one name.
    func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    mutating func append(_ name: String, _ value: String?) {
        if let value { items.append((name, value)) }
    }

    /// Returns a URL with these parameters added after its own.
    func appended(to url: String) -> String {
        guard !items.isEmpty else { return url }
        return url + (url.contains("?") ? "&" : "?") + FormEncoding.encode(items.map { ($0.name, $0.value) })
    }

    /// Decodes one name or value; nil if an escape is invalid or the bytes are not UTF-8.
    static func decode(_ part: some Collection<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(part)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                rest = rest.dropFirst(2)
                // `UInt8` would accept a sign, which is not a digit.
                guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
            default:
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
