// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#else
package import Darwin
#endif

/// A file of this user that is read whole and replaced whole: a reader sees the old or the new content.
///
/// A caller that changes the content it read must hold a lock meanwhile. This type takes no lock. Its functions throw
/// ``SecureStoreError`` (`denied`, `full`, `failed`) for a failing call of the system.
package struct AtomicFile: Sendable, Hashable {
    /// The content of a file.
    package struct Content: Sendable {
        package let bytes: [UInt8]
        /// The permission bits.
        let mode: mode_t
    }

    let path: String
    private static let draftEnding = ".draft"

    /// Names a file.
    package init(_ path: String) {
        self.path = path
    }

    /// Reads the file; nil if it does not exist.
    ///
    /// - Parameter limit: The largest size that the file may have, in bytes.
    /// - Throws: Also `denied` if it is a link, another user's, or not a plain file; `damaged` if it is too large; `busy`
    ///   if it grows during the read, which a file that is only replaced never does.
    package func read(atMost limit: Int) throws(SecureStoreError) -> Content? {
        guard let (file, status) = try Descriptor.ownFile(path) else { return nil }
        guard status.st_size <= limit else { throw SecureStoreError(.damaged, detail: "file too large") }
        // One byte more than the reported size, because the file may grow while it is read.
        var buffer = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        let count = try file.fill(&buffer)
        guard count < buffer.count else { throw SecureStoreError(.busy, detail: "a file that is being written") }
        return Content(bytes: Array(buffer[..<count]), mode: status.st_mode & 0o777)
    }

    /// Replaces the content.
    ///
    /// If the process is killed meanwhile, the file has the old or the new content, and a draft that nothing reads may
    /// remain beside it. The new content is on the disk when this returns; the file's name is on the disk after
    /// ``synchronize()``.
    ///
    /// - Parameter expected: The content that the file must still have; nil for any content. The check leaves another
    ///   program that writes the file without a lock almost no time to write in between.
    /// - Returns: Whether the file was replaced.
    /// - Throws: With `expected`, also `busy`. The old content is then still there.
    @discardableResult
    package func replace(
        with bytes: [UInt8],
        mode: mode_t = 0o600,
        ifStill expected: [UInt8]? = nil
    ) throws(SecureStoreError) -> Bool {
        let draft = "\(path).\(RandomName.make())\(Self.draftEnding)"
        // If this fails, the next writer removes the draft.
        defer { unsafe unlink(draft) }
        try Self.write(bytes, to: draft, mode)
        if let expected, try !contains(expected) { return false }
        guard unsafe rename(draft, path) == 0 else { throw SystemError.error(errno, in: "rename", at: path) }
        return true
    }

    private func contains(_ expected: [UInt8]) throws(SecureStoreError) -> Bool {
        do throws(SecureStoreError) {
            return try read(atMost: expected.count)?.bytes == expected
        } catch {
            guard error.code == .damaged else { throw error }
            // The file has grown.
            return false
        }
    }

    /// Removes the file; returns whether it existed.
    @discardableResult
    package func remove() throws(SecureStoreError) -> Bool {
        // On a read-only file system, `unlink` fails even if the file does not exist.
        var status = stat()
        guard unsafe lstat(path, &status) == 0 || errno != ENOENT else { return false }
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw SystemError.error(errno, in: "unlink", at: path)
        }
        return true
    }

    /// Waits until the folder's entry for the file is on the disk: before that, a power cut may undo a change.
    package func synchronize() throws(SecureStoreError) {
        try Descriptor(folder, O_RDONLY | O_DIRECTORY)?.synchronize()
    }

    /// Removes drafts that killed writers have left.
    ///
    /// The caller must hold the lock of all writers, or give an age at which no writer still needs its draft.
    ///
    /// - Parameter age: The least time since a draft was written, by the system's clock.
    func removeDrafts(olderThan age: Duration = .zero) throws(SecureStoreError) {
        let start = path.dropFirst(folder.count).drop { $0 == "/" } + "."
        for found in try FolderEntries.names(in: folder) {
            guard found.hasPrefix(start), found.hasSuffix(Self.draftEnding),
                RandomName.isOne(found.dropFirst(start.count).dropLast(Self.draftEnding.count))
            else { continue }
            let draft = "\(folder)/\(found)"
            if age > .zero, try !FolderEntries.isOlder(draft, than: age) { continue }
            guard unsafe unlink(draft) == 0 || errno == ENOENT else {
                throw SystemError.error(errno, in: "unlink", at: draft)
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
        // Set last: the process's umask does not apply to `fchmod`, and no other user can read a partial file.
        guard fchmod(file.number, mode) == 0 else { throw SystemError.error(errno, in: "fchmod", at: draft) }
    }
}
