// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The session's access to the store: reads it, and applies all changes in the order of their requests.
///
/// Owns the order of writes, and compares, replaces and removes the session's item. Caches nothing. Confined to the
/// session's actor.
final class SessionRepository {
    private let store: any SecureStore
    private let authority: any TokenAuthority
    private let logger: Logger
    private var lastWrite: Task<Void, Never>?

    init(_ store: any SecureStore, of authority: any TokenAuthority, _ logger: Logger) {
        (self.store, self.authority, self.logger) = (store, authority, logger)
    }

    // MARK: The order of writes

    /// Changes the store after all earlier changes, even if the caller is cancelled.
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (any SecureStore) async throws -> Value
    ) async throws -> Value {
        let previous = lastWrite
        let store = store
        let task = Task {
            await previous?.value
            return try await change(store)
        }
        lastWrite = Task { _ = await task.result }
        return try await task.value
    }

    func earlierWrites() async { await lastWrite?.value }

    // MARK: The session's item

    func item() async throws -> SecretBytes? { try await store.item(forKey: SessionRecord.key) }

    /// Replaces the known item; returns nil if another process changed it first.
    func replace(_ stored: StoredItem, with record: SessionRecord) async throws -> StoredItem? {
        let item = try record.encoded()
        let isWritten = try await write {
            try await $0.replaceItem(forKey: SessionRecord.key, ifEquals: stored.item, with: item)
        }
        return isWritten ? StoredItem(item: item, tokens: record.tokens) : nil
    }

    /// Writes a session, and returns it as it stands after the attempt, with the record that it replaced.
    ///
    /// The session replaces the store's item, because the user has just signed in. It is written even if the user has
    /// signed out in the meantime: the removal follows, and the earlier item is gone in any case.
    func save(_ session: CurrentSession) async -> (session: CurrentSession, replaced: SessionRecord?) {
        guard session.isRemembered else { return (session, nil) }
        var session = session
        var replaced: SessionRecord?
        do {
            let item = try session.record.encoded()
            replaced = try await replaceItem { try await $0.setItem(item, forKey: SessionRecord.key) }
            session.stored = StoredItem(item: item, tokens: session.record.tokens)
            (session.persistenceError, session.replaced) = (nil, .nothing)
        } catch {
            session.persistenceError = SecureStoreError(cause: error)
            logger.warning("the session could not be written to the store; it is kept in memory")
        }
        return (session, replaced)
    }

    /// Removes the store's item before a new session that is not persisted.
    ///
    /// - Returns: The removed record, if it can be read.
    func empty() async throws -> SessionRecord? {
        try await replaceItem { try await $0.removeItem(forKey: SessionRecord.key) }
    }

    private func replaceItem(
        _ change: @escaping @Sendable (any SecureStore) async throws -> Void
    ) async throws -> SessionRecord? {
        try await write { [authority] store in
            let found = try await store.item(forKey: SessionRecord.key)
            try await change(store)
            return found.flatMap { try? SessionRecord($0, of: authority) }
        }
    }

    /// Changes the stored record, and leaves the rest of it as it is: another process may have journaled the start of a
    /// refresh.
    ///
    /// - Returns: The replaced item and the new one; nil if the store holds another record.
    /// - Throws: `SecureStoreError`; ``SessionRecordError``; `CancellationError`.
    func update(
        where isExpected: @escaping @Sendable (SessionRecord) -> Bool,
        _ change: @escaping @Sendable (inout SessionRecord) -> Void
    ) async throws -> (replaced: SecretBytes, new: StoredItem)? {
        try await write { store in
            try await store.updateItem(forKey: SessionRecord.key) { item in
                guard let item else { return (.none, nil) }
                var record = try SessionRecord(item)
                guard isExpected(record) else { return (.none, nil) }
                change(&record)
                let new = try record.encoded()
                return (.replace(new), (item, StoredItem(item: new, tokens: record.tokens)))
            }
        }
    }

    /// Removes the known item; returns false if another process has changed it.
    func remove(ifEquals item: SecretBytes) async throws -> Bool {
        try await write { try await $0.replaceItem(forKey: SessionRecord.key, ifEquals: item, with: nil) }
    }

    // MARK: Removal at sign-out

    /// Removes the session of one sign-in and the items beside it.
    ///
    /// - Parameter endsPendingSignIn: Whether a sign-in that waits for the browser ends too.
    /// - Returns: The removed record, if it can be read, and the error if the record may still be there.
    func remove(
        _ ended: CurrentSession,
        endsPendingSignIn: Bool
    ) async -> (found: (record: SessionRecord, item: SecretBytes)?, error: SecureStoreError?) {
        let removal = await removed { [authority] store in
            let removed = try await Self.removeSession(ended, of: authority, in: store)
            if endsPendingSignIn { try await store.removeItem(forKey: .pendingSignIn) }
            return removed
        }
        return (removal.value ?? nil, removal.error)
    }

    func removeUnread() async -> SecureStoreError? {
        await removed { try await Self.removeItems(in: $0) }.error
    }

    /// Removes an unreadable session and the pending sign-in; a readable session stays: it belongs to another sign-in.
    func removeUnreadable() async -> SecureStoreError? {
        await removed { [authority] store in
            if let item = try await store.item(forKey: SessionRecord.key) {
                do {
                    _ = try SessionRecord(item, of: authority)
                } catch {
                    _ = try await store.replaceItem(forKey: SessionRecord.key, ifEquals: item, with: nil)
                }
            }
            try await store.removeItem(forKey: .pendingSignIn)
        }.error
    }

    /// Removes all items of a session from a store, readable or not.
    static func removeItems(in store: any SecureStore) async throws {
        for key in [SessionRecord.key, .pendingSignIn] { try await store.removeItem(forKey: key) }
    }

    /// Removes the session of one sign-in, even if it was refreshed since, and no later session.
    ///
    /// - Returns: The removed record, if it can be read.
    private static func removeSession(
        _ ended: CurrentSession,
        of authority: any TokenAuthority,
        in store: any SecureStore
    ) async throws -> (record: SessionRecord, item: SecretBytes)? {
        // The session is not persisted, and the store was emptied for it. An item that is there now belongs to another
        // session.
        guard !ended.isStoreEmptied else { return nil }
        for _ in 0..<compareAndReplaceAttempts {
            let item: SecretBytes
            do {
                guard let found = try await store.item(forKey: SessionRecord.key) else { return nil }
                item = found
            } catch is SecureStoreError {
                // The item can't be read now. A store that remembers removals is still asked to remove it.
                guard try await removeUnread(ended.stored?.item, in: store) else { continue }
                return nil
            }
            // An unreadable item is removed too: no other session can use it.
            let record = try? SessionRecord(item, of: authority)
            if let record, !ended.covers(record) { return nil }
            if try await store.replaceItem(forKey: SessionRecord.key, ifEquals: item, with: nil) {
                return record.map { ($0, item) }
            }
        }
        throw SecureStoreError(.busy)
    }

    /// Removes an item that can't be read.
    ///
    /// - Returns: False if the store certainly holds another item than the known one. The caller must read it.
    private static func removeUnread(_ known: SecretBytes?, in store: any SecureStore) async throws -> Bool {
        if let known {
            do {
                return try await store.replaceItem(forKey: SessionRecord.key, ifEquals: known, with: nil)
            } catch is SecureStoreError {
                // The item can't be compared either.
            }
        }
        try await store.removeItem(forKey: SessionRecord.key)
        return true
    }

    private func removed<Value: Sendable>(
        _ removal: @escaping @Sendable (any SecureStore) async throws -> Value
    ) async -> (value: Value?, error: SecureStoreError?) {
        do {
            return (try await write(removal), nil)
        } catch {
            logger.warning("the stored session could not be removed")
            return (nil, SecureStoreError(cause: error))
        }
    }
}

/// The change to make to an item.
enum ItemChange: Sendable {
    case none
    /// The item is written, even if it is absent.
    case replace(SecretBytes)
    /// The item is removed if it exists.
    case remove
}

/// The number of attempts at a change of the store: another process can spoil it, but can't be faster every time.
let compareAndReplaceAttempts = 8

extension SecureStore {
    /// Changes an item by compare and replace: reads it, and starts over if another process was faster.
    ///
    /// - Parameter change: A closure that receives the item, or nil, and returns the change to make and the value to
    ///   return.
    /// - Throws: `SecureStoreError` (`busy` if other processes were faster each time); the errors of `change`;
    ///   `CancellationError`.
    func updateItem<Value>(
        forKey key: StoreKey,
        _ change: (SecretBytes?) throws -> (ItemChange, Value)
    ) async throws -> Value {
        for _ in 0..<compareAndReplaceAttempts {
            let item = try await item(forKey: key)
            let (next, value) = try change(item)
            switch next {
            case .none: return value
            case .replace(let new):
                if try await replaceItem(forKey: key, ifEquals: item, with: new) { return value }
            case .remove:
                guard let item else { return value }
                if try await replaceItem(forKey: key, ifEquals: item, with: nil) { return value }
            }
        }
        throw SecureStoreError(.busy)
    }
}
