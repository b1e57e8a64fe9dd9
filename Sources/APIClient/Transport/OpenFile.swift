#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A regular file that is open for reading until its last user lets go of it.
final class OpenFile: Sendable {
    /// Its length when it was opened, in bytes.
    let length: Int
    private let descriptor: Int32

    /// Opens it, and blocks.
    ///
    /// - Throws: ``FileFault``.
    init(path: String) throws {
        // Without O_NONBLOCK the opening of a pipe would wait for somebody who writes.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileFault(action: "open", code: errno) }
        var status = stat()
        let answered = unsafe fstat(descriptor, &status)
        guard answered == 0, status.st_mode & S_IFMT == S_IFREG else {
            let code = answered == 0 ? EINVAL : errno
            close(descriptor)
            throw FileFault(action: "use", code: code)
        }
        length = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads some of its bytes, and blocks.
    ///
    /// - Parameters:
    ///   - position: Where they begin.
    ///   - count: How many at most.
    /// - Returns: The bytes; none at the end.
    /// - Throws: ``FileFault``.
    func bytes(at position: Int, count: Int) throws -> [UInt8] {
        var fault: Int32?
        // Safe: at most the buffer's size is read into it, and only what was read counts as initialized.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var result = -1
            repeat {
                result = unsafe pread(descriptor, buffer.baseAddress, count, off_t(position))
            } while result < 0 && errno == EINTR
            if result < 0 { fault = errno }
            initialized = max(0, result)
        }
        if let fault { throw FileFault(action: "read", code: fault) }
        return bytes
    }
}

/// Why a file could not be read.
///
/// Says no path: it may name a person.
struct FileFault: Error, CustomStringConvertible {
    let action: String
    let code: Int32

    var description: String { "could not \(action) the file (system error \(code))" }
}
