// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
/// The location of a scope's file, and the lock for changing it.
///
/// The folder belongs to this user and is closed to all others. Every use checks this.
struct EncryptedFileLocation: Sendable, Hashable {
    /// The file.
    let file: AtomicFile
    private let lockPath: String

    /// Creates the folder if it does not exist.
    ///
    /// - Parameters:
    ///   - scope: The service and account. The file's name does not contain their names.
    ///   - folder: An absolute path.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    init(of scope: StoreScope, in folder: String) throws(SecureStoreError) {
        let folder = try PrivateFolder(folder)
        file = AtomicFile(folder.file(Self.name(of: scope)))
        lockPath = folder.file(ScopeFileName.of(Self.purpose, scope))
    }

    /// Returns the name of a scope's file.
    static func name(of scope: StoreScope) -> String { ScopeFileName.of(purpose, scope, ending: "sallyport") }

    private static let purpose: StaticString = "encrypted file"

    /// Waits for the lock for changing the file.
    ///
    /// - Parameter mayWait: The closure that returns whether there is time for another attempt.
    /// - Returns: The lock, held until the object is released.
    /// - Throws: The error of `mayWait`; ``SecureStoreError`` (`busy`, `denied`, `full`, `failed`).
    func lock(mayWait: () throws -> Bool) throws -> FileLock {
        try FileLock.blocking(at: lockPath, "encrypted file", mayWait: mayWait)
    }

    /// Reads the file.
    ///
    /// - Returns: The file's bytes; nil if the file does not exist.
    /// - Throws: ``SecureStoreError`` (`denied` if it is a link, another user's, or not a plain file; `damaged` if it
    ///   is too large; `busy` if it grows during the read; `failed`).
    func contents() throws(SecureStoreError) -> [UInt8]? {
        try file.read(atMost: EncryptedFileFormat.maximumSize)?.bytes
    }

    /// Replaces the file.
    ///
    /// The caller must hold the lock. Removes the drafts of killed writers first.
    ///
    /// - Parameter bytes: The whole new file.
    /// - Throws: ``SecureStoreError`` (`full`, `denied`, `failed`). The old file is then still there.
    func replace(with bytes: [UInt8]) throws(SecureStoreError) {
        try file.removeDrafts()
        try file.replace(with: bytes)
    }

    /// Waits until the new file's name is on the disk.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`): the new file is in place, but a power cut may bring
    ///   the old one back.
    func synchronize() throws(SecureStoreError) {
        try file.synchronize()
    }
}
#endif
