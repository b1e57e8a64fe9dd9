#if EncryptedFile
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where the file of a scope is, and how it is read and replaced.
///
/// The folder belongs to this user and lets nobody else in; that is checked at every use.
struct EncryptedFilePlace: Sendable, Hashable {
    /// The file's path.
    let path: String
    private let folder: PrivateFolder
    private let name: String
    private let lockPath: String

    /// Makes the folder where there is none.
    ///
    /// - Parameters:
    ///   - scope: Whose file. Its names are not in the file's.
    ///   - folder: An absolute path.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    init(of scope: StoreScope, in folder: String) throws(SecureStoreError) {
        self.folder = try PrivateFolder(folder)
        name = Self.name(of: scope)
        path = self.folder.file(name)
        lockPath = self.folder.file(ScopeFileName.of(Self.purpose, scope))
    }

    /// The name of a scope's file.
    static func name(of scope: StoreScope) -> String { ScopeFileName.stem(purpose, scope) + ".sallyport" }

    private static let purpose: StaticString = "encrypted file"

    /// Waits for the lock under which the file is changed.
    ///
    /// - Parameter mayWait: Called before every further attempt; throws to give up.
    /// - Returns: The lock, held as long as it lives.
    /// - Throws: What `mayWait` throws; ``SecureStoreError`` (`denied`, `full`, `failed`).
    func lock(mayWait: () throws -> Void) throws -> FileLock {
        try FileLock.blocking(at: lockPath, mayWait: mayWait)
    }

    /// Reads the file.
    ///
    /// - Returns: Its bytes, and of a file that is too large so many that it is seen; nil where there is none.
    /// - Throws: ``SecureStoreError`` (`denied` where it is a link, no file, or another user's; `failed`).
    func contents() throws(SecureStoreError) -> [UInt8]? {
        // Without waiting, should it be a pipe that nobody writes to.
        guard let file = try Descriptor(path, O_RDONLY | O_NONBLOCK) else { return nil }
        let status = try file.status()
        guard status.isFile else { throw SecureStoreError(.denied, detail: "not a file") }
        guard status.owner == geteuid() else { throw SecureStoreError(.denied, detail: "a file of another user") }
        var buffer = [UInt8](repeating: 0, count: min(status.size, EncryptedFileFormat.maximumSize) + 1)
        let count = try Descriptor.fill(&buffer, from: file.number)
        return Array(buffer[..<count])
    }

    /// Puts new bytes in the file's place: who reads, or comes after a crash, finds the old or the new ones whole.
    ///
    /// Under the lock only. Before that it removes what killed writers have left.
    ///
    /// - Parameter bytes: The whole new file.
    /// - Throws: ``SecureStoreError`` (`full`, `denied`, `failed`); the old file is then still there.
    func replace(with bytes: [UInt8]) throws(SecureStoreError) {
        try removeLeftovers()
        let draft = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36))\(Self.draftExtension)"
        do throws(SecureStoreError) {
            try writeDraft(draft, bytes)
            guard unsafe rename(draft, path) == 0 else { throw SystemError.error(errno, in: "rename") }
        } catch {
            // Where that fails too, the next writer removes it.
            unsafe unlink(draft)
            throw error
        }
    }

    /// Waits until the disk knows the new file by its name.
    ///
    /// - Throws: ``SecureStoreError`` (`failed`): the new file is in place, and may not be after a power cut.
    func synchronize() throws(SecureStoreError) {
        try Descriptor(folder.path, O_RDONLY | O_DIRECTORY)?.synchronize()
    }

    private static let draftExtension = ".draft"

    private func writeDraft(_ draft: String, _ bytes: [UInt8]) throws(SecureStoreError) {
        guard let file = try Descriptor(draft, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600) else { return }
        // Whatever the process's umask took away.
        guard fchmod(file.number, 0o600) == 0 else { throw SystemError.error(errno, in: "fchmod") }
        try file.writeDurably(bytes)
    }

    /// Removes drafts of this file: no writer is at work but the one that holds the lock.
    private func removeLeftovers() throws(SecureStoreError) {
        guard let entries = unsafe opendir(folder.path) else { throw SystemError.error(errno, in: "opendir") }
        defer { unsafe closedir(entries) }
        while let entry = unsafe readdir(entries) {
            // Safe: the name ends with a NUL, within the entry, which stands until the next one is read.
            let found = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard found.hasPrefix(name + "."), found.hasSuffix(Self.draftExtension) else { continue }
            guard unsafe unlink(folder.file(found)) == 0 || errno == ENOENT else {
                throw SystemError.error(errno, in: "unlink")
            }
        }
    }
}
#endif
