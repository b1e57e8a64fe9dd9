internal import Dispatch

/// The file of a scope's note, and the lock for all changes of it.
struct NoteFile: Sendable {
    private let folder: @Sendable () throws -> PrivateFolder
    private let name: String
    private let disk = DispatchQueue(label: "sallyport.notes")
    let lock: TimedFileLock

    /// Describes a scope's note.
    ///
    /// - Parameters:
    ///   - scope: The service and account.
    ///   - folder: The function that returns the folder of a scope, and creates it if it is missing.
    init(of scope: StoreScope, in folder: @escaping @Sendable (StoreScope) throws -> PrivateFolder) {
        self.folder = { try folder(scope) }
        name = ScopeFileName.of("stores", scope, ending: "note")
        lock = TimedFileLock("the note of a session's location") {
            try folder(scope).file(ScopeFileName.of("stores", scope))
        }
    }

    /// Reads the note; an empty one if there is no file.
    ///
    /// - Throws: ``SecureStoreError`` (`damaged`, `newerFormat`, `denied`, `failed`): the content of an unreadable note
    ///   is not guessed.
    func read() throws -> StoreNote {
        guard let content = try file().read(atMost: StoreNote.maximumSize) else { return StoreNote() }
        return try StoreNote(content.bytes)
    }

    /// Writes a note in place of the present one, or removes the file if the note is empty.
    ///
    /// The note is on the disk when this returns. The write may be slow, so it blocks no cooperative thread. It is
    /// rare: at a session's first item, at its migration, and at a removal from a location that can't be reached. A
    /// cancelled task waits for it all the same.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    func write(_ note: StoreNote) async throws {
        let bytes = Array(note.stamped().text.utf8)
        guard bytes.count <= StoreNote.maximumSize else { throw SecureStoreError(.full, detail: "the note") }
        let file = try file()
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            disk.async {
                done.resume(with: Result { try Self.write(note.isEmpty ? nil : bytes, to: file) })
            }
        }
    }

    private static func write(_ bytes: [UInt8]?, to file: AtomicFile) throws {
        try file.removeDrafts()
        if let bytes { try file.replace(with: bytes) } else { try file.remove() }
        try file.synchronize()
    }

    private func file() throws -> AtomicFile {
        AtomicFile(try folder().file(name))
    }
}
