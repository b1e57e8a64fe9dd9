// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open file descriptor, closed when this object is released.
///
/// Its functions throw ``SecureStoreError`` (`denied`, `full`, `failed`) for a failing call of the system.
final class Descriptor: Sendable {
    let number: Int32
    private let path: String

    /// Opens a file, or returns nil if the file does not exist.
    ///
    /// Does not follow a link in the last path component.
    init?(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SecureStoreError) {
        let number = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
        if number < 0, errno == ENOENT, flags & O_CREAT == 0 { return nil }
        guard number >= 0 else { throw SystemError.error(errno, in: "open", at: path) }
        (self.number, self.path) = (number, path)
    }

    /// Opens a plain file of this user for reading; nil if it does not exist, `denied` if it is another one.
    static func ownFile(_ path: String) throws(SecureStoreError) -> (Descriptor, stat)? {
        guard let file = try plainFile(path) else { return nil }
        guard file.1.st_uid == geteuid() else { throw SystemError.foreign(path, file.1) }
        return file
    }

    /// Opens a plain file for reading, as ``ownFile(_:)``, but also another user's.
    static func plainFile(_ path: String) throws(SecureStoreError) -> (Descriptor, stat)? {
        // Does not block: the path may be a pipe without a writer.
        guard let file = try Descriptor(path, O_RDONLY | O_NONBLOCK) else { return nil }
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SecureStoreError(.denied, detail: "\(path) is not a file")
        }
        return (file, status)
    }

    deinit { close(number) }

    func status() throws(SecureStoreError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw SystemError.error(errno, in: "fstat", at: path) }
        return status
    }

    /// Reads to the end, or until the buffer is full; returns the number of bytes read.
    func fill(_ buffer: inout [UInt8]) throws(SecureStoreError) -> Int {
        var count = 0
        while count < buffer.count {
            // Safe: `read` writes to the rest of the buffer only within the call that lends it.
            let step = unsafe buffer.withUnsafeMutableBytes { bytes in
                let rest = unsafe bytes[count...]
                return unsafe read(number, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            }
            if step == 0 { break }
            if step > 0 {
                count += step
            } else if errno != EINTR {
                throw SystemError.error(errno, in: "read", at: path)
            }
        }
        return count
    }

    /// Writes all bytes, and returns when they are on the disk.
    func writeDurably(_ bytes: [UInt8]) throws(SecureStoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Safe: the buffer is read only within the call that lends it.
            let step = unsafe rest.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
            if step >= 0 {
                rest = rest.dropFirst(step)
            } else if errno != EINTR {
                throw SystemError.error(errno, in: "write", at: path)
            }
        }
        try synchronize()
    }

    /// Waits until the written bytes, or a folder's entries, are on the disk.
    func synchronize() throws(SecureStoreError) {
        while fsync(number) != 0 {
            // Some file systems can't sync a folder, and offer no other way.
            if errno == EINVAL { return }
            guard errno == EINTR else { throw SystemError.error(errno, in: "fsync", at: path) }
        }
    }
}

/// The store errors for an `errno` of the file system.
///
/// Their details name what is in the way: the path, or the nearest folder of it that exists, and its owner.
enum SystemError {
    static func error(_ number: Int32, in step: StaticString, at path: String) -> SecureStoreError {
        var (place, status) = (path, stat())
        while unsafe lstat(place, &status) != 0, let end = place.lastIndex(of: "/"), place != "/" {
            place = end == place.startIndex ? "/" : String(place[..<end])
        }
        return switch number {
        case EACCES where status.st_uid != geteuid(), EPERM where status.st_uid != geteuid(): foreign(place, status)
        case EACCES, EPERM: SecureStoreError(.denied, detail: "no permission for \(place)")
        case EROFS: SecureStoreError(.denied, detail: "\(place) is on a read-only file system")
        case ELOOP: SecureStoreError(.denied, detail: "\(place) is a link")
        case ENOTDIR: SecureStoreError(.failed, detail: "\(place) is not a folder")
        case ENOSPC, EDQUOT, EFBIG: SecureStoreError(.full, detail: "\(place), \(step), errno \(number)")
        case ENOLCK, ENOSYS, EOPNOTSUPP:
            SecureStoreError(.failed, detail: "the file system of \(place) has no \(step)")
        default: SecureStoreError(.failed, detail: "\(place), \(step), errno \(number)")
        }
    }

    /// Returns the error for a file or folder of another user, or of root.
    static func foreign(_ path: String, _ status: stat) -> SecureStoreError {
        let owner = status.st_uid == 0 ? "root" : "the user with the ID \(status.st_uid)"
        return SecureStoreError(.denied, detail: "\(path) belongs to \(owner)")
    }
}
