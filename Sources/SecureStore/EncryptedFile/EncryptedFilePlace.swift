#if EncryptedFile
/// Where the file of a scope is, and the lock under which it is changed.
///
/// The folder belongs to this user and lets nobody else in; that is checked at every use.
struct EncryptedFilePlace: Sendable, Hashable {
    /// The file.
    let file: AtomicFile
    private let lockPath: String

    /// Makes the folder where there is none.
    ///
    /// - Parameters:
    ///   - scope: Whose file. Its names are not in the file's.
    ///   - folder: An absolute path.
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    init(of scope: StoreScope, in folder: String) throws(SecureStoreError) {
        let folder = try PrivateFolder(folder)
        file = AtomicFile(folder.file(Self.name(of: scope)))
        lockPath = folder.file(ScopeFileName.of(Self.purpose, scope))
    }

    /// The name of a scope's file.
    static func name(of scope: StoreScope) -> String { ScopeFileName.of(purpose, scope, ending: "sallyport") }

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
    /// - Returns: Its bytes; nil where there is none.
    /// - Throws: ``SecureStoreError`` (`denied` where it is a link, no file, or another user's; `damaged` where it is too
    ///   large; `failed`).
    func contents() throws(SecureStoreError) -> [UInt8]? {
        try file.read(atMost: EncryptedFileFormat.maximumSize)?.bytes
    }

    /// Puts new bytes in the file's place, under the lock only.
    ///
    /// Before that it removes what killed writers have left.
    ///
    /// - Parameter bytes: The whole new file.
    /// - Throws: ``SecureStoreError`` (`full`, `denied`, `failed`); the old file is then still there.
    func replace(with bytes: [UInt8]) throws(SecureStoreError) {
        try file.removeDrafts()
        try file.replace(with: bytes)
    }

    /// Waits until the disk knows the new file by its name.
    ///
    /// - Throws: ``SecureStoreError`` (`failed`): the new file is in place, and may not be after a power cut.
    func synchronize() throws(SecureStoreError) {
        try file.synchronize()
    }
}
#endif
