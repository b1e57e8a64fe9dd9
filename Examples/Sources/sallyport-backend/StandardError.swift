// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The standard error stream, for everything but the command's result.
enum StandardError {
    /// Writes one line.
    static func write(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
