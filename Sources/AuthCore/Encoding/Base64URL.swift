// SPDX-License-Identifier: Apache-2.0

/// base64url without padding, strictly: each byte sequence has exactly one text.
///
/// [RFC 7515, 2](https://www.rfc-editor.org/rfc/rfc7515#section-2), [RFC 4648,
/// 5](https://www.rfc-editor.org/rfc/rfc4648#section-5).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The value of each character; for any other byte, a bit that no value has.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()
    private static let invalid: UInt8 = 1 << 7

    /// Returns the text of bytes.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = (buffer << 8) | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                characters.append(alphabet[Int((buffer >> bits) & 0x3F)])
            }
            buffer &= (1 << bits) - 1
        }
        if bits > 0 { characters.append(alphabet[Int((buffer << (6 - bits)) & 0x3F)]) }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Returns the bytes; nil for padding, white space, the other alphabet, a lone character or set bits after the end.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        decode(Array(text).span)
    }

    static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        var faults: UInt8 = 0
        var rest: UInt32 = 0
        let values = values.span
        let bytes = [UInt8](capacity: text.count / 4 * 3 + 2) { output in
            for index in text.indices {
                let value = values[Int(text[index])]
                faults |= value
                rest = rest << 6 | UInt32(value & 0x3F)
                guard index & 3 == 3 else { continue }
                output.append(UInt8(truncatingIfNeeded: rest >> 16))
                output.append(UInt8(truncatingIfNeeded: rest >> 8))
                output.append(UInt8(truncatingIfNeeded: rest))
            }
            if text.count & 3 >= 2 { output.append(UInt8(truncatingIfNeeded: rest >> (text.count & 3 == 2 ? 4 : 10))) }
            if text.count & 3 == 3 { output.append(UInt8(truncatingIfNeeded: rest >> 2)) }
        }
        // Bits after the last byte would give one value two texts (RFC 4648, 3.5).
        let unused: UInt32 = [0, 0x3F, 0xF, 0x3][text.count & 3]
        return faults & invalid == 0 && text.count & 3 != 1 && rest & unused == 0 ? bytes : nil
    }
}
