import BackendTestSupport
import FoundationEssentials
import Glibc

/// Standard output, unbuffered and a whole line at a time: who reads it kills this process by what it says.
enum Output {
    static func say(_ line: WorkerLine) {
        // Such a line is always encodable.
        guard var bytes = try? [UInt8](JSONEncoder().encode(line)) else { return }
        bytes.append(UInt8(ascii: "\n"))
        // Shorter than a pipe takes at once. Where nobody reads any more, the test is gone, and this process with it:
        // SIGPIPE, which would end it, is ignored by the transport.
        if unsafe bytes.withUnsafeBytes({ unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }) < 0 { exit(1) }
    }
}
