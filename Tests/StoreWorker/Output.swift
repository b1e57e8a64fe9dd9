// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The standard output, unbuffered, so that a waiting process gets each line at once.
enum Output {
    static func say(_ word: String) {
        FileHandle.standardOutput.write(Data((word + "\n").utf8))
    }
}
