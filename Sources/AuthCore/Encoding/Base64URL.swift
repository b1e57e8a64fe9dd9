// SPDX-License-Identifier: Apache-2.0

/// base64url without padding, strictly: each byte sequence has exactly one text.
///
/// [RFC 7515, 2](https://www.rfc-editor.org/rfc/rfc7515#section-2), [RFC 4648,
/// 5](https://www.rfc-editor.org/rfc/rfc4648#section-5).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each character; for any other byte, a bit that no value has.
    ///
    /// Four tables, for a character that is last, third, second and first of four.
    private static let values: [UInt32] = {
        var values = [UInt32](repeating: invalid, count: 4 * 256)
        for (value, character) in alphabet.enumerated() {
            for place in 0..<4 { values[place * 256 + Int(character)] = UInt32(value) << (6 * UInt32(place)) }
        }
        return values
    }()
    private static let invalid: UInt32 = 1 << 31

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
        if bits > 0 {
            characters.append(alphabet[Int((buffer << (6 - bits)) & 0x3F)])
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Returns the bytes; nil for padding, white space, the other alphabet, a lone character or set bits after the end.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let characters = Array(text)
        var isValid = true
        let bytes = [UInt8](capacity: decodedCount(characters.count)) { output in
            isValid = decode(characters.span, into: &output)
        }
        return isValid ? bytes : nil
    }

    /// Returns the largest number of bytes that a number of characters can encode.
    static func decodedCount(_ characters: Int) -> Int { characters / 4 * 3 + 2 }

    /// Appends the bytes; if ``decode(_:)`` would return nil, returns false, and the appended bytes are undefined.
    static func decode(_ text: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> Bool {
        precondition(output.freeCapacity >= decodedCount(text.count))
        let whole = text.count & ~3
        var faults: UInt32 = 0
        // Safe: `whole` characters are there, and the table has a value for every byte at every place. Each iteration
        // writes eight bytes, of which six count. The last write has four bytes, of which three count. None lies
        // outside, because ``decodedCount(_:)`` leaves room for two more.
        unsafe text.withUnsafeBufferPointer { characters in
            unsafe values.withUnsafeBufferPointer { values in
                unsafe output.withUnsafeMutableBufferPointer { bytes, count in
                    let bytes = UnsafeMutableRawBufferPointer(bytes)
                    var index = 0
                    var written = count
                    while index &+ 8 <= whole {
                        let left = unsafe quad(characters, at: index, values)
                        let right = unsafe quad(characters, at: index &+ 4, values)
                        faults |= left | right
                        let six = UInt64(left) << 40 | UInt64(right & 0xFF_FFFF) << 16
                        unsafe bytes.storeBytes(of: six.bigEndian, toByteOffset: written, as: UInt64.self)
                        written &+= 6
                        index &+= 8
                    }
                    if index < whole {
                        let last = unsafe quad(characters, at: index, values)
                        faults |= last
                        unsafe bytes.storeBytes(of: (last << 8).bigEndian, toByteOffset: written, as: UInt32.self)
                        written &+= 3
                    }
                    count = written
                }
            }
        }
        return faults & invalid == 0 && decodeRest(text.extracting(whole..<text.count), into: &output)
    }

    /// Returns the values of four characters in 24 bits, and the invalid bit if one of them is outside the alphabet.
    @inline(__always)
    private static func quad(
        _ characters: UnsafeBufferPointer<UInt8>,
        at index: Int,
        _ values: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        // Safe: the caller makes sure that four characters are there, and every table has a value for every byte.
        let first = unsafe values[3 &* 256 &+ Int(characters[index])]
        let second = unsafe values[2 &* 256 &+ Int(characters[index &+ 1])]
        let third = unsafe values[256 &+ Int(characters[index &+ 2])]
        let fourth = unsafe values[Int(characters[index &+ 3])]
        return first | second | third | fourth
    }

    /// Decodes the last characters, of which there are fewer than four.
    private static func decodeRest(_ text: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> Bool {
        guard isValid(text) else { return false }
        var buffer: UInt32 = 0
        for index in text.indices { buffer = buffer << 6 | values[Int(text[index])] }
        if text.count == 2 {
            output.append(UInt8(truncatingIfNeeded: buffer >> 4))
        } else if text.count == 3 {
            output.append(UInt8(truncatingIfNeeded: buffer >> 10))
            output.append(UInt8(truncatingIfNeeded: buffer >> 2))
        }
        return true
    }

    /// Whether a text can be decoded.
    static func isValid(_ text: Span<UInt8>) -> Bool {
        var faults: UInt32 = 0
        // Safe: every index lies inside the text, and the table has a value for every byte.
        unsafe text.withUnsafeBufferPointer { characters in
            unsafe values.withUnsafeBufferPointer { values in
                for index in characters.indices { unsafe faults |= values[Int(characters[index])] }
            }
        }
        guard faults & invalid == 0 else { return false }
        // Bits after the last byte would give one value two texts (RFC 4648, 3.5).
        switch text.count & 3 {
        case 0: return true
        case 2: return values[Int(text[text.count - 1])] & 0xF == 0
        case 3: return values[Int(text[text.count - 1])] & 0x3 == 0
        default: return false
        }
    }
}
