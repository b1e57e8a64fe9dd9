// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open file descriptor, closed when this object is released.
final class Descriptor: Sendable {
    let number: Int32

    /// Opens a file, or returns nil if the file does not exist.
    ///
    /// Does not follow a link in the last path component.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    init?(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SecureStoreError) {
        let number = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
        if number < 0, errno == ENOENT, flags & O_CREAT == 0 { return nil }
        guard number >= 0 else { throw SystemError.error(errno, in: "open") }
        self.number = number
    }

    /// Opens a plain file of this user for reading; nil if it does not exist.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` if it is another user's, or not a plain file; `failed`).
    static func ownFile(_ path: String) throws(SecureStoreError) -> (Descriptor, Status)? {
        guard let file = try plainFile(path) else { return nil }
        guard file.1.owner == geteuid() else { throw SecureStoreError(.denied, detail: "a file of another user") }
        return file
    }

    /// Opens a plain file for reading, as ``ownFile(_:)``, whoever it belongs to.
    static func plainFile(_ path: String) throws(SecureStoreError) -> (Descriptor, Status)? {
        // Does not block: the path may be a pipe without a writer.
        guard let file = try Descriptor(path, O_RDONLY | O_NONBLOCK) else { return nil }
        let status = try file.status()
        guard status.isFile else { throw SecureStoreError(.denied, detail: "not a file") }
        return (file, status)
    }

    deinit { close(number) }

    /// The attributes of an open file.
    struct Status {
        /// Whether it is a plain file, not a folder, pipe or device.
        let isFile: Bool
        let owner: uid_t
        /// The permission bits.
        let mode: mode_t
        /// The size in bytes, if the file has one.
        let size: Int
    }

    func status() throws(SecureStoreError) -> Status {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw SystemError.error(errno, in: "fstat") }
        return Status(
            isFile: status.st_mode & S_IFMT == S_IFREG,
            owner: status.st_uid,
            mode: status.st_mode & 0o777,
            size: max(0, Int(clamping: status.st_size))
        )
    }

    /// Reads to the end, or until the buffer is full.
    ///
    /// - Returns: The number of bytes read.
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
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
                throw SystemError.error(errno, in: "read")
            }
        }
        return count
    }

    /// Writes all bytes, and returns when they are on the disk.
    ///
    /// - Throws: ``SecureStoreError`` (`full`, `denied`, `failed`).
    func writeDurably(_ bytes: [UInt8]) throws(SecureStoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Safe: the buffer is read only within the call that lends it.
            let step = unsafe rest.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
            if step >= 0 {
                rest = rest.dropFirst(step)
            } else if errno != EINTR {
                throw SystemError.error(errno, in: "write")
            }
        }
        try synchronize()
    }

    /// Waits until the written bytes, or a folder's entries, are on the disk.
    ///
    /// - Throws: ``SecureStoreError`` (`full`, `denied`, `failed`).
    func synchronize() throws(SecureStoreError) {
        while fsync(number) != 0 {
            // Some file systems can't sync a folder, and offer no other way.
            if errno == EINVAL { return }
            guard errno == EINTR else { throw SystemError.error(errno, in: "fsync") }
        }
    }
}

/// The store errors for an `errno` of the file system.
enum SystemError {
    static func error(_ number: Int32, in step: StaticString) -> SecureStoreError {
        let detail = "\(step), errno \(number)"
        return switch number {
        case EACCES, EPERM, EROFS, ELOOP: SecureStoreError(.denied, detail: detail)
        case ENOSPC, EDQUOT, EFBIG: SecureStoreError(.full, detail: detail)
        default: SecureStoreError(.failed, detail: detail)
        }
    }
}
