// SPDX-License-Identifier: Apache-2.0

/// The limit on characters beyond ASCII in untrusted text.
///
/// `String` sorts combining marks each time it compares or hashes: in quadratic time, a second for 64 KB.
package enum TextLimit {
    /// The maximum number of bytes beyond ASCII, many times a long name's; a comparison takes a few milliseconds.
    private static let maximum = 4_096

    /// Returns whether a text has more bytes beyond ASCII, also as JSON's escapes.
    package static func isExceeded(by text: some Sequence<UInt8>) -> Bool {
        var (count, last) = (0, UInt8(0))
        for byte in text {
            if byte >= 0x80 { count += 1 }
            // An escape stands for three bytes at most.
            if last == UInt8(ascii: "\\"), byte == UInt8(ascii: "u") { count += 3 }
            last = byte
        }
        return count > maximum
    }
}
