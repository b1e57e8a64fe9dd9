// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A bounded reader of a small regular file, away from the threads that Swift's tasks share.
enum IdentityTokenFile {
    private static let queue = DispatchQueue(label: "sallyport.identity-token", attributes: .concurrent)

    /// Reads a file.
    ///
    /// A cancelled caller returns at once, even if the file system hangs.
    ///
    /// - Throws: ``FileError``, also for a file that is longer than `limit`; `CancellationError`.
    static func bytes(at path: String, limit: Int) async throws -> [UInt8] {
        let read = Promise<[UInt8]>()
        queue.async { read.finish(Result { try contents(of: path, limit) }) }
        return try await read.value()
    }

    private static func contents(of path: String, _ limit: Int) throws -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { throw FileError(code: EINVAL) }
        var content: [UInt8] = []
        while content.count <= limit {
            var part = [UInt8](repeating: 0, count: limit + 1 - content.count)
            let count = unsafe read(descriptor, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileError(code: errno) }
            if count == 0 { break }
            content += part.prefix(count)
        }
        // A file whose length changed while it was read: the token may be cut off.
        guard content.count == Int(status.st_size) else { throw FileError(code: EINVAL) }
        return content
    }
}

/// The error of a file that could not be read.
///
/// Contains no path, because a path may name a user.
struct FileError: Error, CustomStringConvertible {
    let code: Int32

    var description: String { "could not read the file (system error \(code))" }
}
