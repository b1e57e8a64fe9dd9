// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The file of a store's pending removals: a line with the version, then the removals in the order of their keys.
///
/// Holds no secret. The hash is that of the item that is to be removed, if it was known.
///
///     sallyport-removals 1
///     authorization.pending
///     session 2f0b5c9d…
struct RemovalNote: Sendable {
    /// The item that a pending removal is about.
    enum Subject: Sendable, Hashable {
        /// The item that is there, because it could not be read when its removal was asked for.
        case any
        /// Only the item with this hash, in lower-case hexadecimal: another item was written later.
        case item(sha256: String)

        init(_ item: SecretBytes) { self = .item(sha256: Hexadecimal.encode(item.sha256)) }
    }

    private let path: @Sendable () throws -> String
    private let worker = BlockingWorker<Void>(label: "sallyport.removals", ())
    /// The lock for all changes of the store and its note.
    let lock: FileLock

    private static let title = "sallyport-removals 1"
    /// The largest note, in bytes: several hundred removals of keys of the greatest length.
    static let maximumSize = 64 * 1024

    /// Describes the note of a store, in a folder for tests or else in the user's.
    init(of scope: StoreScope, _ store: String, in folder: String?) {
        let file = { @Sendable (ending: StaticString) in
            try UserFolder.notes(of: scope, in: folder)
                .file(ScopeFileName.of("removals", scope, onBus: store, ending: ending))
        }
        path = { try file("note") }
        lock = FileLock("the note of pending removals") { try file("lock") }
    }

    /// Reads the removals; none if there is no file, and an error if it can't be read: nothing is guessed.
    func read() throws -> [StoreKey: Subject] {
        guard let content = try AtomicFile(path()).read(atMost: Self.maximumSize) else { return [:] }
        return try Self.removals(content.bytes)
    }

    /// Writes the removals in place of the present ones, or removes the file if there are none.
    ///
    /// They are on the disk when this returns.
    func write(_ removals: [StoreKey: Subject], over present: [StoreKey: Subject]) async throws {
        guard removals != present else { return }
        let text = Self.text(removals)
        guard text.utf8.count <= Self.maximumSize else { throw SecureStoreError(.full, detail: "pending removals") }
        let file = AtomicFile(try path())
        // In a task of its own: a cancelled caller must not release the lock before the write ends.
        try await Task {
            try await worker.run(atMost: .seconds(86_400)) { _, _ in
                try file.removeDrafts()
                if removals.isEmpty { try file.remove() } else { try file.replace(with: Array(text.utf8)) }
                try file.synchronize()
            }
        }.value
    }

    static func text(_ removals: [StoreKey: Subject]) -> String {
        let lines = removals.map { key, subject in
            switch subject {
            case .any: key.name
            case .item(let hash): "\(key.name) \(hash)"
            }
        }
        return ([title] + lines.sorted()).map { $0 + "\n" }.joined()
    }

    /// Reads a note strictly: it has exactly one spelling.
    static func removals(_ bytes: [UInt8]) throws(SecureStoreError) -> [StoreKey: Subject] {
        let damaged = SecureStoreError(.damaged, detail: "pending removals")
        guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged }
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        guard let title = lines.first, title.count == 2, title[0] == "sallyport-removals", let version = Int(title[1])
        else { throw damaged }
        guard version <= 1 else { throw SecureStoreError(.newerFormat) }
        var removals: [StoreKey: Subject] = [:]
        for line in lines.dropFirst() {
            guard let name = line.first, let key = try? StoreKey(name) else { throw damaged }
            let hash = line.count > 1 ? line[1] : nil
            let isHash = hash.map { $0.utf8.count == 64 && $0.allSatisfy("0123456789abcdef".contains) } ?? true
            guard isHash else { throw damaged }
            removals[key] = hash.map { .item(sha256: $0) } ?? .any
        }
        guard self.text(removals) == text else { throw damaged }
        return removals
    }
}
