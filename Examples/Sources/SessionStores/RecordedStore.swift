// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import SecureStore

/// A session's store that keeps the session's ``StoreRecord``, so that a later start finds the session without an option.
///
/// The record is written before the session's first item. Killed in between, it names a store without a session, which
/// does no harm; in the other order, the session could be in a store that the next start does not look in.
public struct RecordedStore: SecureStore {
    /// A store, and its name in the record.
    public typealias Named = (name: String, store: PendingRemovals)

    private let name: String
    private let store: PendingRemovals
    /// All stores of which this program may have to remove an earlier session; the session's is the first.
    private let all: [Named]
    private let record: StoreRecord
    private let lock: SessionLock
    /// The maximum wait for another process.
    private let timeout: Duration

    /// The items whose first write begins a session, and those that keep its record.
    private static let beginnings: Set<String> = ["session", "authorization.pending", "program", "client"]
    private static let kept = ["session", "session.ended", "program", "client"]

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - session: The store of the session.
    ///   - others: Every other store that an earlier session of this scope may have been in. Their pending removals are
    ///     finished after a change.
    ///   - lockTimeout: The time that a change waits while another process makes one, before it throws `busy`.
    /// - Throws: `SecureStoreError` (`invalidName` if the service's name is too long).
    public init(_ session: Named, others: [Named], lockTimeout: Duration = .seconds(30)) throws {
        (name, store) = session
        timeout = lockTimeout
        all = [session] + others
        let scope = session.store.scope
        record = StoreRecord(of: scope)
        // Not the session's own lock, which a refresh holds while it writes.
        let service = "\(scope.service).store"
        lock = SessionLock(
            for: try StoreScope(service: service, account: scope.account, sharedFolder: scope.sharedFolder)
        )
    }

    /// The names of the stores with a pending removal; the session's is the first if it has one.
    public var pending: [String] { get throws { try all.filter { try !$0.store.pending.isEmpty }.map(\.name) } }

    /// Whether the removal of the session is pending.
    public var isPending: Bool { get throws { try !store.pending.isEmpty } }

    /// The names of the stores of which this object has finished a pending removal.
    public var finished: [String] { all.filter(\.store.hasFinished).map(\.name) }

    /// Forgets the session's store after a sign-out, unless the session is still kept or another process has signed in.
    public func forgetIfEmpty() async throws {
        try await lock.withLock(timeout: timeout) {
            for key in Self.kept where try await store.item(forKey: StoreKey(key)) != nil { return }
            try record.write(nil)
        }
    }

    /// Forgets the session's store after a sign-out whose removal is pending.
    public func forget() async throws {
        try await lock.withLock(timeout: timeout) { try record.write(nil) }
    }

    // MARK: The store

    public var scope: StoreScope { store.scope }

    public var protection: StoreProtection { get async { await store.protection } }

    public func unlock(timeout: Duration) async throws { try await store.unlock(timeout: timeout) }

    public func probe() async throws { try await store.probe() }

    public func item(forKey key: StoreKey) async throws -> SecretBytes? { try await store.item(forKey: key) }

    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        _ = try await recording(key) {
            try await store.setItem(item, forKey: key)
            return true
        }
    }

    public func removeItem(forKey key: StoreKey) async throws {
        try await store.removeItem(forKey: key)
        await finishOthers()
    }

    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        guard item != nil else { return try await store.replaceItem(forKey: key, ifEquals: expected, with: nil) }
        return try await recording(key) {
            try await store.replaceItem(forKey: key, ifEquals: expected, with: item)
        }
    }

    // MARK: Steps

    private func recording(_ key: StoreKey, _ write: () async throws -> Bool) async throws -> Bool {
        guard Self.beginnings.contains(key.name) else { return try await write() }
        let isWritten = try await lock.withLock(timeout: timeout) {
            let known = try record.read()
            // Another process has signed in to another store since this one looked.
            guard known == nil || known == name else { throw SecureStoreError(.busy) }
            if known == nil { try record.write(name) }
            do {
                let isWritten = try await write()
                if known == nil, !isWritten { try record.write(nil) }
                return isWritten
            } catch let error as SecureStoreError where known == nil && !error.isOutcomeUnknown {
                // No session lives here, so the next one may choose another store.
                try? record.write(nil)
                throw error
            }
        }
        await finishOthers()
        return isWritten
    }

    private func finishOthers() async {
        for other in all.dropFirst() { await other.store.finish() }
    }
}
