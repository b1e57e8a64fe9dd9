// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// The file of a scope's note, the file of the scope's names beside it, and the lock for all changes of both.
struct NoteFile: Sendable {
    private let folder: @Sendable () throws -> PrivateFolder
    private let scope: StoreScope
    private let disk = DispatchQueue(label: "sallyport.notes")
    let lock: FileLock

    /// Describes a scope's note.
    ///
    /// - Parameters:
    ///   - scope: The service and account.
    ///   - folder: The function that returns the folder of a scope, and creates it if it is missing.
    init(of scope: StoreScope, in folder: @escaping @Sendable (StoreScope) throws -> PrivateFolder) {
        self.folder = { try folder(scope) }
        self.scope = scope
        lock = FileLock("the note of a session's location") {
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
        let (file, names) = (try file(), try namesFile())
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            disk.async { [scope] in
                done.resume(
                    with: Result {
                        // There are names beside every note, also if the process is killed between the steps.
                        if !note.isEmpty { Self.write(ScopeNames(scope), to: names) }
                        try Self.write(note.isEmpty ? nil : bytes, to: file)
                        if note.isEmpty { _ = try? names.remove() }
                    }
                )
            }
        }
    }

    /// Writes the scope's names if they are missing, as they are beside a note of an earlier version.
    ///
    /// If that fails, only lists lack the scope, and the next call tries again.
    func completeNames() async {
        guard let names = try? namesFile() else { return }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            disk.async { [scope] in
                Self.write(ScopeNames(scope), to: names)
                done.resume()
            }
        }
    }

    /// Returns the name of one of a scope's files.
    static func name(of scope: StoreScope, ending: StaticString) -> String {
        ScopeFileName.of("stores", scope, ending: ending)
    }

    /// Writes the names if they are missing.
    ///
    /// They serve lists alone, so a failure is not reported: the next write tries again.
    private static func write(_ names: ScopeNames, to file: AtomicFile) {
        let bytes = Array(names.text.utf8)
        let present = try? file.read(atMost: ScopeNames.maximumSize)?.bytes
        // A later version's names stay.
        guard present != bytes, present.map(ScopeNames.isNewer) != true else { return }
        _ = try? file.removeDrafts()
        _ = try? file.replace(with: bytes)
    }

    private static func write(_ bytes: [UInt8]?, to file: AtomicFile) throws {
        try file.removeDrafts()
        if let bytes { try file.replace(with: bytes) } else { try file.remove() }
        try file.synchronize()
    }

    private func file() throws -> AtomicFile {
        AtomicFile(try folder().file(Self.name(of: scope, ending: "note")))
    }

    private func namesFile() throws -> AtomicFile {
        AtomicFile(try folder().file(Self.name(of: scope, ending: ScopeNames.ending)))
    }
}
