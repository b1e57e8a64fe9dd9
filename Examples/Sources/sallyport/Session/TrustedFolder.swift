// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder of files that say where the tool signs in, so that root or the user alone may write them.
struct TrustedFolder {
    let path: String
    /// The write permissions that neither the folder nor its files may give.
    let forbiddenMode: mode_t

    /// The maximum size of a file, in bytes.
    static let limit = 16_384

    /// The reason for which a file can't be used, as the end of a sentence.
    struct Fault: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// Reads a file; nil if it doesn't exist.
    ///
    /// - Throws: ``Fault``.
    func contents(of file: String) throws -> [UInt8]? {
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder < 0, errno == ENOENT { return nil }
        defer { close(folder) }
        _ = try checked(folder, "its folder")
        // Nothing waits for the other end of a pipe.
        let descriptor = unsafe openat(folder, file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        // A link to no file is not absent, so that another file doesn't take its place.
        if descriptor < 0, errno == ENOENT, unsafe faccessat(folder, file, F_OK, AT_SYMLINK_NOFOLLOW) != 0 {
            return nil
        }
        defer { close(descriptor) }
        let status = try checked(descriptor, "it")
        guard status.st_mode & S_IFMT == S_IFREG else { throw Fault("it is not a regular file") }
        guard status.st_size <= Self.limit else { throw Fault("it is larger than 16 KiB") }
        guard let bytes = try? StandardInput.readAll(from: descriptor) else { throw Fault("it can't be read") }
        return bytes
    }

    /// Checks that root or the user alone can have written an open file or folder.
    private func checked(_ descriptor: Int32, _ subject: String) throws -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Fault("\(subject) can't be read") }
        guard [0, geteuid()].contains(status.st_uid) else { throw Fault("\(subject) belongs to another user") }
        guard status.st_mode & forbiddenMode == 0 else { throw Fault("other users may write to \(subject)") }
        return status
    }
}
