/// base64url without padding, strictly: one text for every value of bytes.
///
/// [RFC 7515, 2](https://www.rfc-editor.org/rfc/rfc7515#section-2), [RFC 4648, 5](https://www.rfc-editor.org/rfc/rfc4648#section-5).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of every character; for what is none, a bit that no value has.
    private static let values: [UInt32] = {
        var values = [UInt32](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt32(value) }
        return values
    }()
    private static let invalid: UInt32 = 1 << 31

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

    /// The bytes, or nil for padding, white space, the other alphabet, a lone character or set bits behind the end.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let characters = Array(text)
        var isValid = true
        let bytes = [UInt8](capacity: decodedCount(characters.count)) { output in
            isValid = decode(characters.span, into: &output)
        }
        return isValid ? bytes : nil
    }

    /// How many bytes so many characters stand for at most.
    static func decodedCount(_ characters: Int) -> Int { characters / 4 * 3 + 2 }

    /// Appends the bytes; false for what ``decode(_:)`` answers nil for, and then what was appended means nothing.
    static func decode(_ text: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> Bool {
        precondition(output.freeCapacity >= decodedCount(text.count))
        let whole = text.count & ~3
        var faults: UInt32 = 0
        // Safe: `whole` characters are there; a table of 256 values has one for every byte; three bytes for each four
        // characters fit, as was just made sure of, and as many are counted as were written.
        unsafe text.withUnsafeBufferPointer { characters in
            unsafe values.withUnsafeBufferPointer { values in
                unsafe output.withUnsafeMutableBufferPointer { bytes, count in
                    var index = 0
                    while index < whole {
                        let first = unsafe values[Int(characters[index])]
                        let second = unsafe values[Int(characters[index &+ 1])]
                        let third = unsafe values[Int(characters[index &+ 2])]
                        let fourth = unsafe values[Int(characters[index &+ 3])]
                        faults |= first | second | third | fourth
                        let quad = first << 18 | second << 12 | third << 6 | fourth
                        unsafe bytes[count] = UInt8(truncatingIfNeeded: quad >> 16)
                        unsafe bytes[count &+ 1] = UInt8(truncatingIfNeeded: quad >> 8)
                        unsafe bytes[count &+ 2] = UInt8(truncatingIfNeeded: quad)
                        count &+= 3
                        index &+= 4
                    }
                }
            }
        }
        return faults & invalid == 0 && decodeRest(text.extracting(whole..<text.count), into: &output)
    }

    /// The last characters, of which there are not four.
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

    /// Whether a text could be decoded.
    static func isValid(_ text: Span<UInt8>) -> Bool {
        let values = values.span
        var faults: UInt32 = 0
        for index in text.indices { faults |= values[Int(text[index])] }
        guard faults & invalid == 0 else { return false }
        // Bits behind the last byte would make two texts of one value (RFC 4648, 3.5).
        switch text.count & 3 {
        case 0: return true
        case 2: return values[Int(text[text.count - 1])] & 0xF == 0
        case 3: return values[Int(text[text.count - 1])] & 0x3 == 0
        default: return false
        }
    }
}
