#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A small file of this user that is read whole and replaced whole.
///
/// Who reads it sees the old or the new content. Who changes what it read holds a lock meanwhile; this type takes none.
struct AtomicFile: Sendable, Hashable {
    /// What a file held.
    struct Content: Sendable {
        let bytes: [UInt8]
        /// Who may read and write it.
        let mode: mode_t
    }

    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Reads the file.
    ///
    /// - Parameter limit: The most bytes it may have.
    /// - Returns: What it holds; nil where there is no file.
    /// - Throws: ``SecureStoreError`` (`denied` where it is a link or another user's; `damaged` where it is no regular
    ///   file or too large; `failed`).
    func read(atMost limit: Int) throws(SecureStoreError) -> Content? {
        // Without blocking: a pipe of that name would wait for a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw SystemError.error(errno, in: "open file") }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError.error(errno, in: "fstat file") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SecureStoreError(.damaged, detail: "no regular file") }
        guard status.st_uid == geteuid() else { throw SecureStoreError(.denied, detail: "a file of another user") }
        guard let bytes = try Self.all(of: descriptor, atMost: limit) else {
            throw SecureStoreError(.damaged, detail: "too large a file")
        }
        return Content(bytes: bytes, mode: status.st_mode & 0o777)
    }

    /// Puts new content in the place of the old, on the disk too before this returns.
    ///
    /// A process that is killed in here leaves the old content, or the new, and perhaps a file with a name of its own
    /// beside it, which nothing reads.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - mode: Who may read and write it.
    ///   - expected: What the file must still hold; nil for anything. Where another program writes the file too, and
    ///     takes no lock, this leaves it next to no time to come between.
    /// - Returns: Whether the file was replaced.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`); the old content is still there then, but where the
    ///   folder can't be brought to the disk at the very end.
    @discardableResult
    func replace(
        with bytes: [UInt8],
        mode: mode_t = 0o600,
        ifStill expected: [UInt8]? = nil
    ) throws(SecureStoreError) -> Bool {
        let temporary = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).new"
        do throws(SecureStoreError) {
            try Self.make(temporary, mode, bytes)
            if let expected {
                guard try holds(expected) else {
                    unsafe unlink(temporary)
                    return false
                }
            }
            guard unsafe rename(temporary, path) == 0 else { throw SystemError.error(errno, in: "rename") }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        try syncFolder()
        return true
    }

    /// Removes the file, on the disk too before this returns.
    ///
    /// One that is not there is no error.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
    func remove() throws(SecureStoreError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw SystemError.error(errno, in: "unlink") }
        try syncFolder()
    }

    // MARK: Steps

    private func holds(_ expected: [UInt8]) throws(SecureStoreError) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return try Self.all(of: descriptor, atMost: expected.count) == expected
    }

    /// All bytes of an open file; nil where there are more than allowed.
    private static func all(of descriptor: Int32, atMost limit: Int) throws(SecureStoreError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            // By place, which the global `read` is not: that name is taken by a method here.
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(bytes.count))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError.error(errno, in: "read") }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
            // Whatever its size was said to be: it may grow while it is read.
            guard bytes.count <= limit else { return nil }
        }
    }

    private static func make(_ path: String, _ mode: mode_t, _ bytes: [UInt8]) throws(SecureStoreError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError.error(errno, in: "create file") }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError.error(errno, in: "write") }
            written += count
        }
        // Only now: the process's mask takes nothing away from it, and nobody reads a half of it.
        guard fchmod(descriptor, mode) == 0 else { throw SystemError.error(errno, in: "fchmod") }
        guard fsync(descriptor) == 0 else { throw SystemError.error(errno, in: "fsync") }
    }

    /// A new name is on the disk once its folder is.
    private func syncFolder() throws(SecureStoreError) {
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        let descriptor = unsafe open(folder.isEmpty ? "/" : String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.error(errno, in: "open folder") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError.error(errno, in: "fsync folder") }
    }
}
