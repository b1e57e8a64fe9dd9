// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The standard error stream, for error messages.
enum StandardError {
    static func write(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
