// SPDX-License-Identifier: Apache-2.0

/// Text from outside, made safe for a terminal without losing any of it.
///
/// A terminal takes control characters for commands: a server's response could retitle the window, hide lines, or type
/// into the shell. Bidirectional controls make text read as something else.
package enum TerminalText {
    /// Returns bytes as text, and escapes control characters and bytes that are not UTF-8.
    ///
    /// Line breaks and tabs are kept.
    package static func escaped(_ bytes: [UInt8]) -> String {
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var (rest, offset) = (bytes.makeIterator(), 0)
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                offset += encoded.count
                let isHalfOfLineBreak = scalar == "\r" && offset < bytes.count && bytes[offset] == UInt8(ascii: "\n")
                if !isHalfOfLineBreak { text += escaped(scalar) }
            case .error(let length):
                text += bytes[offset..<offset + length].map { "\\x\(hexadecimal(UInt16($0), digits: 2))" }.joined()
                offset += length
            case .emptyInput:
                return text
            }
        }
    }

    /// Returns a character, or its JSON escape if a terminal would act on it.
    package static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control where scalar != "\n" && scalar != "\t", .format, .lineSeparator, .paragraphSeparator:
            scalar.utf16.map { "\\u\(hexadecimal($0, digits: 4))" }.joined()
        default:
            String(scalar)
        }
    }

    private static func hexadecimal(_ number: UInt16, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
