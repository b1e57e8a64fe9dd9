// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import FoundationEssentials
import Glibc

/// Standard output, unbuffered and one whole line at a time: the reader decides by it when to kill this process.
enum Output {
    static func say(_ line: WorkerLine) {
        // A `WorkerLine` is always encodable.
        guard var bytes = try? [UInt8](JSONEncoder().encode(line)) else { return }
        bytes.append(UInt8(ascii: "\n"))
        // The line is shorter than a pipe's atomic write. If the pipe has no reader, the test is gone, and this process
        // must end, too: the transport ignores SIGPIPE, which would have ended it.
        if unsafe bytes.withUnsafeBytes({ unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }) < 0 { exit(1) }
    }
}
