// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A regular file that is open for reading until its last user releases it.
final class OpenFile: Sendable {
    /// The length of the file in bytes when it was opened.
    let length: Int
    private let descriptor: Int32

    /// Opens the file, and blocks.
    ///
    /// - Throws: ``FileError``.
    init(path: String) throws {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(action: "open", code: errno) }
        var status = stat()
        let result = unsafe fstat(descriptor, &status)
        guard result == 0, status.st_mode & S_IFMT == S_IFREG else {
            let code = result == 0 ? EINVAL : errno
            close(descriptor)
            throw FileError(action: "use", code: code)
        }
        length = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads bytes of the file, and blocks.
    ///
    /// - Parameters:
    ///   - position: The offset of the first byte.
    ///   - count: The largest number of bytes.
    /// - Returns: The bytes; empty at the end.
    /// - Throws: ``FileError``.
    func bytes(at position: Int, count: Int) throws -> [UInt8] {
        var fault: Int32?
        // Safe: at most the buffer's size is read into it, and only the bytes read count as initialized.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var result = -1
            repeat {
                result = unsafe pread(descriptor, buffer.baseAddress, count, off_t(position))
            } while result < 0 && errno == EINTR
            if result < 0 { fault = errno }
            initialized = max(0, result)
        }
        if let fault { throw FileError(action: "read", code: fault) }
        return bytes
    }
}

/// The error of a file that could not be read.
///
/// Contains no path, because a path may name a user.
struct FileError: Error, CustomStringConvertible {
    let action: String
    let code: Int32

    var description: String { "could not \(action) the file (system error \(code))" }
}
