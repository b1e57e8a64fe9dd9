// SPDX-License-Identifier: Apache-2.0

/// A buffer that splits input into lines.
struct LineBuffer: Sendable {
    private var rest: [UInt8] = []

    /// Adds input.
    ///
    /// - Parameter bytes: The bytes that were read.
    /// - Returns: The lines that are complete now, without line ends.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(String(decoding: rest, as: UTF8.self))
                rest = []
            } else if byte != UInt8(ascii: "\r"), rest.count < 1_024 {
                rest.append(byte)
            }
        }
        return lines
    }
}
