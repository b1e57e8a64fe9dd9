// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The standard output stream, for the command's result.
enum StandardOutput {
    /// Writes one line, unbuffered.
    static func write(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
