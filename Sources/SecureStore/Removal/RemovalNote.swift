// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The file of a store's pending removals: a line with the version, then the keys in order.
///
/// Holds no secret.
///
///     sallyport-removals 1
///     session
struct RemovalNote: Sendable {
    private let path: @Sendable () throws -> String
    private let disk = DispatchQueue(label: "sallyport.removals")
    /// The lock for all changes of the store and its note.
    let lock: FileLock

    private static let title = "sallyport-removals 1"
    /// The largest note, in bytes: about 500 keys of the greatest length.
    static let maximumSize = 64 * 1024

    init(of scope: StoreScope, _ store: String, in folder: @escaping @Sendable (StoreScope) throws -> PrivateFolder) {
        path = { try folder(scope).file(ScopeFileName.of("removals", scope, onBus: store, ending: "note")) }
        lock = FileLock("the note of pending removals") {
            try folder(scope).file(ScopeFileName.of("removals", scope, onBus: store))
        }
    }

    /// Reads the keys; none if there is no file.
    ///
    /// - Throws: ``SecureStoreError`` (`damaged`, `newerFormat`, `denied`, `failed`): the content of an unreadable note
    ///   is not guessed.
    func read() throws -> Set<StoreKey> {
        guard let content = try AtomicFile(path()).read(atMost: Self.maximumSize) else { return [] }
        return try Self.keys(content.bytes)
    }

    /// Writes the keys in place of the present ones, or removes the file if there are none.
    ///
    /// They are on the disk when this returns. The write may be slow, so it blocks no cooperative thread. It is rare,
    /// and a cancelled task waits for it all the same.
    ///
    /// - Throws: ``SecureStoreError`` (`denied`, `full`, `failed`).
    func write(_ keys: Set<StoreKey>, over present: Set<StoreKey>) async throws {
        guard keys != present else { return }
        let text = Self.text(keys)
        guard text.utf8.count <= Self.maximumSize else { throw SecureStoreError(.full, detail: "pending removals") }
        let file = AtomicFile(try path())
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            disk.async {
                done.resume(
                    with: Result {
                        try file.removeDrafts()
                        if keys.isEmpty { try file.remove() } else { try file.replace(with: Array(text.utf8)) }
                        try file.synchronize()
                    }
                )
            }
        }
    }

    static func text(_ keys: Set<StoreKey>) -> String {
        ([title] + keys.map(\.name).sorted()).map { $0 + "\n" }.joined()
    }

    /// Reads a note strictly: it has exactly one spelling.
    static func keys(_ bytes: [UInt8]) throws(SecureStoreError) -> Set<StoreKey> {
        let damaged = SecureStoreError(.damaged, detail: "pending removals")
        guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged }
        let lines = text.split(separator: "\n")
        let title = lines.first?.split(separator: " ") ?? []
        guard title.count == 2, title[0] == "sallyport-removals", let version = Int(title[1]) else { throw damaged }
        guard version <= 1 else { throw SecureStoreError(.newerFormat) }
        var keys: Set<StoreKey> = []
        for line in lines.dropFirst() {
            guard let key = try? StoreKey(String(line)) else { throw damaged }
            keys.insert(key)
        }
        guard self.text(keys) == text else { throw damaged }
        return keys
    }
}
