// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Synchronization

/// A store that records the removals that the store inside it could not make.
///
/// A sign-out must hold even while the keyring is locked. The removal is then recorded in a small file, the note, and
/// takes effect at once: the item reads as absent in every process, and is removed as soon as the store can be used
/// again. Conditional removals are not recorded: an item that can't be compared must not be removed.
///
/// The note has the keys of items, and the hash of each that could be read at the removal. Another item that is there
/// later, as of a sign-in in a program that does not know the note, stays. So do tokens that such a program has refreshed:
/// it undoes the sign-out, unless the server has revoked them. Without a hash, as after a sign-out from a locked keyring,
/// whatever is there is removed. The hash does not hide a short item that can be guessed, such as a PIN.
///
/// Put around a ``MigratingStore``, a removal migrates first, because it reads the item.
///
/// The note is in `$XDG_STATE_HOME/sallyport/stores`, by default below `~/.local/state`, on Apple systems below
/// `~/Library/Application Support`, or in the scope's ``SharedFolder``. If it can't be read, every call throws and never
/// guesses.
///
/// Changes are made under a lock among processes, so no other change comes between the steps of one. A process may be
/// killed between any two:
///
/// - A removal that can't be made is the note alone. It takes effect once the note is written.
/// - A removal that is finished is the items first, then the note. Killed in between, it is repeated on items that are
///   gone. It can't remove a newer item, because of the next rule.
/// - A write over a pending removal finishes that removal and deletes it from the note before it writes the item. If
///   the removal can't be finished, the item is not written.
public final class PendingRemovals: SecureStore {
    private let store: any SecureStore
    private let note: RemovalNote
    private let timeout: Duration
    private let finished = Mutex(false)
    /// The time until which a store that did not respond to a removal is left alone.
    ///
    /// Each attempt would cost the caller the store's whole deadline.
    private let silentUntil = Mutex(ContinuousClock.now)

    private static let silence = Duration.seconds(30)

    /// Creates a store that records the removals that another one could not make.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the items. Changed through this object alone.
    ///   - name: The store's name in the note's file name, the same in every version of the app. It tells two stores of
    ///     one scope apart, for example a keyring and a file.
    ///   - lockTimeout: The time that a change waits while another process makes one, before it throws `busy`.
    ///     Consecutive calls each wait that long. A command-line tool should wait as long as its own time allows.
    public convenience init(
        _ store: any SecureStore,
        named name: String = "store",
        lockTimeout: Duration = .seconds(30)
    ) {
        self.init(store, named: name, lockTimeout: lockTimeout, notesIn: nil)
    }

    /// Creates a store with its note in a given folder, for tests.
    package init(
        _ store: any SecureStore,
        named name: String = "store",
        lockTimeout: Duration = .seconds(30),
        notesIn folder: String?
    ) {
        (self.store, timeout) = (store, lockTimeout)
        note = RemovalNote(of: store.scope, name, in: folder)
    }

    /// The keys of the items whose removal is pending, for tools that show them.
    ///
    /// Throws ``SecureStoreError`` if the note can't be read.
    public var pending: Set<StoreKey> { get throws { Set(try note.read().keys) } }

    /// Whether this object has finished a removal that was pending, and with it an earlier sign-out.
    public var hasFinished: Bool { finished.withLock { $0 } }

    /// Makes the pending removals if the store can be used and no other process is making them.
    ///
    /// Reads of such items and every change do the same. Reports no failure: a later call tries again.
    public func finish() async {
        guard let removals = try? note.read(), !removals.isEmpty, !isSilent else { return }
        _ = try? await note.lock.withLockIfFree { try await finish(note.read()) }
    }

    // MARK: The store

    public var scope: StoreScope { store.scope }

    public var protection: StoreProtection { get async { await store.protection } }

    public func unlock(timeout: Duration) async throws {
        try await store.unlock(timeout: timeout)
        await finish()
    }

    public func probe() async throws {
        // Under the lock, so that a note that can't be read or locked is found too.
        try await changing { _ in try await store.probe() }
    }

    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        if try note.read()[key] != nil {
            await finish()
            guard try note.read()[key] == nil else { return nil }
        }
        return try await store.item(forKey: key)
    }

    /// Writes an item, after finishing a pending removal of it.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try await writing(key) { try await store.setItem(item, forKey: key) }
    }

    /// Removes an item, or records the removal if the store can't be used now.
    ///
    /// Either way the item is treated as gone when this returns. If cancelled, the removal may have been made and is
    /// not recorded.
    ///
    /// - Throws: ``SecureStoreError`` of the note alone, if the removal can neither be made nor recorded; `busy`;
    ///   `CancellationError`.
    public func removeItem(forKey key: StoreKey) async throws {
        try await changing { present in
            var removals = present
            removals[key] = try await remaining(key, present[key])
            try await note.write(removals, over: present)
        }
    }

    /// Replaces an item, after finishing a pending removal of it; a conditional removal is not recorded.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        guard item == nil else {
            return try await writing(key) { try await store.replaceItem(forKey: key, ifEquals: expected, with: item) }
        }
        return try await changing { removals in
            if let subject = removals[key] {
                // The item counts as absent until its removal turns out to be about another one.
                guard !isSilent, (try? await finish([key: subject])) != nil else { return true }
            }
            return try await store.replaceItem(forKey: key, ifEquals: expected, with: nil)
        }
    }

    // MARK: Steps

    /// Runs a change under the lock, and afterwards finishes the removals that it can.
    private func changing<Value>(_ work: ([StoreKey: RemovalNote.Subject]) async throws -> Value) async throws -> Value
    {
        let value = try await note.lock.withLock(timeout: timeout) { try await work(note.read()) }
        // Outside of the change's lock, because a slow store must not delay a write of new tokens.
        await finish()
        return value
    }

    private func writing<Value>(_ key: StoreKey, _ work: () async throws -> Value) async throws -> Value {
        try await changing { removals in
            if let subject = removals[key] { try await finish([key: subject]) }
            return try await work()
        }
    }

    /// Removes an item, or returns what to record if the store can't be used now.
    private func remaining(_ key: StoreKey, _ pending: RemovalNote.Subject?) async throws -> RemovalNote.Subject? {
        var subject = pending ?? .any
        // Read before the removal, because that may time out.
        guard !isSilent else { return subject }
        var isAbsent = false
        try await attempting {
            let item = try await store.item(forKey: key)
            subject = item.map(RemovalNote.Subject.init) ?? subject
            isAbsent = item == nil
        }
        guard !isSilent else { return subject }
        // The store may keep copies of an absent item, but whatever is there later is another one.
        return try await attempting { try await store.removeItem(forKey: key) } || isAbsent ? nil : subject
    }

    /// Returns false if the store can't be used now.
    @discardableResult
    private func attempting(_ work: () async throws -> Void) async throws -> Bool {
        do {
            try await work()
            return true
        } catch let error as SecureStoreError where error.isUnavailable {
            noteSilence(error)
            return false
        }
    }

    /// Makes pending removals under the lock, and deletes them from the note.
    private func finish(_ removals: [StoreKey: RemovalNote.Subject]) async throws {
        // Another process has made them meanwhile.
        guard !removals.isEmpty else { return }
        do {
            for (key, subject) in removals.sorted(by: { $0.key.name < $1.key.name }) {
                try await remove(key, subject)
            }
        } catch let error as SecureStoreError {
            noteSilence(error)
            throw error
        }
        let all = try note.read()
        try await note.write(all.filter { removals[$0.key] == nil }, over: all)
        finished.withLock { $0 = true }
    }

    /// Removes the item that a pending removal is about.
    private func remove(_ key: StoreKey, _ subject: RemovalNote.Subject) async throws {
        guard case .item = subject else { return try await store.removeItem(forKey: key) }
        guard let item = try await store.item(forKey: key), subject == .init(item) else { return }
        // False if another item was written meanwhile, which stays.
        _ = try await store.replaceItem(forKey: key, ifEquals: item, with: nil)
    }

    private var isSilent: Bool { silentUntil.withLock { ContinuousClock.now < $0 } }

    private func noteSilence(_ error: SecureStoreError) {
        guard error.code == .timedOut else { return }
        silentUntil.withLock { $0 = .now + Self.silence }
    }
}
