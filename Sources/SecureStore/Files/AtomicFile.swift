#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file of this user that is read whole and replaced whole: who reads it sees the old or the new content.
///
/// Who changes what it read holds a lock meanwhile; this type takes none.
struct AtomicFile: Sendable, Hashable {
    /// What a file held.
    struct Content: Sendable {
        let bytes: [UInt8]
        /// Who may read and write it.
        let mode: mode_t
    }

    let path: String
    private static let draftEnding = ".draft"

    init(_ path: String) {
        self.path = path
    }

    /// Reads the file.
    ///
    /// - Parameter limit: The most bytes it may have.
    /// - Returns: What it holds; nil where there is no file.
    /// - Throws: ``SecureStoreError`` (`denied` where it is a link, no plain file or another user's; `damaged` where it is
    ///   too large; `busy` where it grows meanwhile, which no file does that is only replaced; `failed`).
    func read(atMost limit: Int) throws(SecureStoreError) -> Content? {
        // Without waiting: a pipe of that name may have no writer.
        guard let file = try Descriptor(path, O_RDONLY | O_NONBLOCK) else { return nil }
        let status = try file.status()
        guard status.isFile else { throw SecureStoreError(.denied, detail: "not a file") }
        guard status.owner == geteuid() else { throw SecureStoreError(.denied, detail: "a file of another user") }
        // Whatever its size is said to be: it may grow while it is read.
        guard status.size <= limit else { throw SecureStoreError(.damaged, detail: "too large a file") }
        var buffer = [UInt8](repeating: 0, count: status.size + 1)
        let count = try Descriptor.fill(&buffer, from: file.number)
        guard count < buffer.count else { throw SecureStoreError(.busy, detail: "a file that is being written") }
        return Content(bytes: Array(buffer[..<count]), mode: status.mode)
    }

    /// Puts new content in the place of the old.
    ///
    /// A process that is killed in here leaves the old content, or the new, and perhaps a draft beside it, which nothing
    /// reads. The new content is on the disk before this returns; its name is once ``synchronize()`` has returned.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - mode: Who may read and write it.
    ///   - expected: What the file must still hold; nil for anything. Where another program writes the file too, and
    ///     takes no lock, this leaves it next to no time to come between.
    /// - Returns: Whether the file was replaced.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`); the old content is still there then.
    @discardableResult
    func replace(
        with bytes: [UInt8],
        mode: mode_t = 0o600,
        ifStill expected: [UInt8]? = nil
    ) throws(SecureStoreError) -> Bool {
        let draft = "\(path).\(RandomName.make())\(Self.draftEnding)"
        do throws(SecureStoreError) {
            try Self.write(bytes, to: draft, mode)
            if let expected, try read(atMost: expected.count + 1)?.bytes != expected {
                unsafe unlink(draft)
                return false
            }
            guard unsafe rename(draft, path) == 0 else { throw SystemError.error(errno, in: "rename") }
            return true
        } catch {
            // Where that fails too, the next writer removes it.
            unsafe unlink(draft)
            throw error
        }
    }

    /// Removes the file.
    ///
    /// One that is not there is no error.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
    func remove() throws(SecureStoreError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw SystemError.error(errno, in: "unlink") }
    }

    /// Waits until the disk knows what the file's name stands for.
    ///
    /// - Throws: ``SecureStoreError`` (`failed`): what was replaced or removed is so, and may not be after a power cut.
    func synchronize() throws(SecureStoreError) {
        try Descriptor(folder, O_RDONLY | O_DIRECTORY)?.synchronize()
    }

    /// Removes drafts that killed writers have left.
    ///
    /// Only for who holds the lock of all writers: then none is at work.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `failed`).
    func removeDrafts() throws(SecureStoreError) {
        guard let entries = unsafe opendir(folder) else { throw SystemError.error(errno, in: "opendir") }
        defer { unsafe closedir(entries) }
        let start = path.dropFirst(folder.count).drop { $0 == "/" } + "."
        while let entry = unsafe readdir(entries) {
            // Safe: the name ends with a NUL, within the entry, which stands until the next one is read.
            let found = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard found.hasPrefix(start), found.hasSuffix(Self.draftEnding) else { continue }
            guard unsafe unlink("\(folder)/\(found)") == 0 || errno == ENOENT else {
                throw SystemError.error(errno, in: "unlink")
            }
        }
    }

    private var folder: String {
        guard let end = path.lastIndex(of: "/") else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    private static func write(_ bytes: [UInt8], to draft: String, _ mode: mode_t) throws(SecureStoreError) {
        guard let file = try Descriptor(draft, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600) else { return }
        try file.writeDurably(bytes)
        // Only now: the process's mask takes nothing away from it, and nobody reads a half of it.
        guard fchmod(file.number, mode) == 0 else { throw SystemError.error(errno, in: "fchmod") }
    }
}
