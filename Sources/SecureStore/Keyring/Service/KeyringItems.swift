// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import AuthCore

/// The reads, writes and removals of items, which never report an unproved absence as absence.
///
/// Changes are made under the lock that all processes share; see ``KeyringStore``.
struct KeyringItems {
    let keyring: SecretService
    let scope: StoreScope
    let deadline: CallDeadline

    /// The secret of a removed item in a keyring that neither deletes it without a prompt nor changes its attributes.
    private static let removedMarker = SecretBytes("removed by Sallyport 3f6c1f0a5be24d1c9a0e7d5b1c86a2f4".utf8)

    /// The number of attempts at a step while another process removes the items it works on.
    private static let attempts = 3

    // MARK: Operations

    func read(_ attributes: ItemAttributes) throws -> SecretBytes? {
        try retryingVanished { try present(attributes).item }
    }

    func keys() throws -> Set<StoreKey> {
        try retryingVanished {
            let found = try searchAll()
            try proveNothingIsHidden(found)
            let present = try zip(found.ours, secrets(of: found.ours)).filter { $1 != Self.removedMarker }
            let keys = present.compactMap { ItemAttributes.key(of: $0.0.attributes, in: scope) }
            return Set(keys).subtracting([ItemAttributes.probe])
        }
    }

    func write(_ item: SecretBytes, _ attributes: ItemAttributes) throws {
        try retryingVanished {
            let found = try search(attributes)
            // A single item is overwritten, removed or not.
            try put(item, attributes, over: found.ours.count > 1 ? removedFirst(found).found : found)
        }
    }

    /// Replaces an item if it is the expected one.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of the item.
    ///   - expected: The item that must be present; nil for absence. Secret.
    ///   - item: The new item. Secret.
    ///   - sent: The record, kept across attempts, that the new item was sent. If the daemon died before it replied and
    ///     the new item is found, the item was written.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError``; ``BusError``.
    func replace(
        _ attributes: ItemAttributes,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        _ sent: SentFlag
    ) throws -> Bool {
        try retryingVanished {
            let (found, present) = try present(attributes)
            if sent.isSet, present == item { return true }
            guard present == expected else { return false }
            sent.set()
            try put(item, attributes, over: found)
            return true
        }
    }

    func remove(_ attributes: ItemAttributes) throws {
        try retryingVanished {
            let found = try search(attributes)
            guard !found.ours.isEmpty else { return try proveAbsence(of: attributes, found) }
            try remove(found)
        }
    }

    func remove(_ attributes: ItemAttributes, ifEquals expected: SecretBytes) throws -> Bool {
        try retryingVanished {
            let (found, present) = try present(attributes)
            guard let present else { return true }
            guard present == expected else { return false }
            try remove(found)
            return true
        }
    }

    func removeAll() throws {
        try retryingVanished {
            let found = try searchAll()
            try remove(found)
        }
    }

    // MARK: Emptied entries

    /// Returns the number of removed items of this scope that the keyring still has, emptied.
    func countEmptied() throws -> Int {
        try retryingVanished {
            let named = try secrets(of: searchAll().ours).count { $0 == Self.removedMarker }
            return try named + emptiedPaths(.removed).count + emptiedPaths(.deleting).count
        }
    }

    /// An emptied entry, and the prompt by which the keyring would delete it.
    struct Deletion: Sendable {
        let entry: ObjectPath
        let prompt: PromptOffer
        /// The name of the entry for ``keepEmptied(_:)``; nil if an earlier prompt for it may still be open.
        let token: String?
    }

    /// Deletes emptied entries, up to the first one for which the keyring has a prompt.
    ///
    /// It marks this entry before any caller learns of its prompt, so no new item reuses the entry. An entry
    /// that only its secret marks as removed is left alone, because a keyring that can't rename entries can't mark it.
    ///
    /// - Parameter asked: The entries to leave alone.
    /// - Returns: The entry and its prompt; nil if there is no such entry.
    /// - Throws: ``SecureStoreError``; ``BusError``.
    func offerDeletion(except asked: Set<ObjectPath>) throws -> Deletion? {
        try retryingVanished {
            for state in ItemAttributes.Emptied.allCases {
                for entry in try emptied(state) where !asked.contains(entry.path) {
                    let token = RandomName.make()
                    let marked = ItemAttributes.emptied(entry.attributes, as: .deleting).merging(["key": token]) { $1 }
                    try keyring.setAttributes(marked, of: entry.path, before: deadline)
                    guard let prompt = try keyring.delete(entry.path, before: deadline) else { continue }
                    return Deletion(entry: entry.path, prompt: prompt, token: state == .removed ? token : nil)
                }
            }
            return nil
        }
    }

    /// Lets a new item take an emptied entry's location again.
    ///
    /// Called after the entry's only prompt ended without a confirmation.
    ///
    /// - Parameter token: The entry's name. If another process has called a prompt for the entry since, nothing
    ///   changes.
    /// - Throws: ``SecureStoreError``; ``BusError``.
    func keepEmptied(_ token: String) throws {
        for entry in try emptied(.deleting) where entry.attributes["key"] == token {
            let kept = ItemAttributes.emptied(entry.attributes, as: .removed)
            try keyring.setAttributes(kept, of: entry.path, before: deadline)
        }
    }

    private func emptied(_ state: ItemAttributes.Emptied) throws -> [KeyringItem] {
        try keyring.describe(emptiedPaths(state), before: deadline)
    }

    private func emptiedPaths(_ state: ItemAttributes.Emptied) throws -> [ObjectPath] {
        let query = ItemAttributes.emptied(ItemAttributes.all(of: scope), as: state)
        return try keyring.searchItems(query, before: deadline).unlocked
    }

    // MARK: Unlocking

    /// Returns the prompt that lets a call succeed after it found a locked keyring.
    ///
    /// - Returns: The prompt; nil if nothing is locked.
    func unlockOffer() throws -> PromptOffer? {
        // The items first, because they may be in another keyring than the default one.
        let locked = try keyring.searchItems(ItemAttributes.all(of: scope), before: deadline).locked
        guard locked.isEmpty else { return try keyring.unlock(locked, before: deadline) }
        guard let standard = try keyring.defaultCollection(before: deadline) else { return nil }
        guard try !keyring.isLocked(standard, before: deadline) else {
            return try keyring.unlock([standard], before: deadline)
        }
        let others = try keyring.collections(before: deadline).filter { try keyring.isLocked($0, before: deadline) }
        return others.isEmpty ? nil : try keyring.unlock(others, before: deadline)
    }

    // MARK: Steps

    private struct Found {
        /// The unlocked items with exactly the attributes, the newest last.
        ///
        /// A key has more than one item if two processes created one at the same time.
        var ours: [KeyringItem]
        /// Whether a locked keyring holds an item that may match.
        var hasLocked: Bool
    }

    private func search(_ attributes: ItemAttributes) throws -> Found {
        try search(attributes.query, attributes.match)
    }

    /// Searches for all items of the scope.
    private func searchAll() throws -> Found {
        try search(ItemAttributes.all(of: scope)) { ItemAttributes.key(of: $0, in: scope) != nil }
    }

    private func search(_ query: [String: String], _ isOurs: ([String: String]) -> Bool) throws -> Found {
        try found(at: try keyring.searchItems(query, before: deadline), isOurs)
    }

    private func found(at paths: SecretService.Paths, _ isOurs: ([String: String]) -> Bool) throws -> Found {
        // An item that vanishes now was removed or replaced, so the rest of the search result is outdated too.
        let found = try keyring.describe(paths.unlocked, before: deadline)
        return Found(ours: found.filter { isOurs($0.attributes) }.sorted(), hasLocked: !paths.locked.isEmpty)
    }

    /// Returns the items with the attributes, and the present item; nil only if its absence is proved.
    private func present(_ attributes: ItemAttributes) throws -> (found: Found, item: SecretBytes?) {
        let paths = try keyring.searchItems(attributes.query, before: deadline)
        // The locked keyring may hold a newer item.
        guard paths.locked.isEmpty else { throw SecureStoreError(.locked) }
        // Nearly always there is one item and it matches. Then one step reads its secret together with its attributes.
        if let only = paths.unlocked.first, paths.unlocked.count == 1 {
            let (found, secret) = try keyring.read(only, before: deadline)
            if attributes.match(found) {
                let item = KeyringItem(path: only, attributes: found)
                return try live(secret, of: Found(ours: [item], hasLocked: false))
            }
        }
        let (found, secret) = try removedFirst(try found(at: paths, attributes.match))
        guard let secret else {
            try proveAbsence(of: attributes, found)
            return (found, nil)
        }
        return try live(secret, of: found)
    }

    /// Reads the secrets of found items, and puts removed items before the others.
    ///
    /// A duplicate is emptied after the item beside it was written, so by its modification time it would be the newest.
    ///
    /// - Returns: The same items, and the secret of the last one; nil if there is no item.
    private func removedFirst(_ found: Found) throws -> (found: Found, secret: SecretBytes?) {
        let read = Array(zip(found.ours, try secrets(of: found.ours)))
        let sorted = read.filter { $1 == Self.removedMarker } + read.filter { $1 != Self.removedMarker }
        return (Found(ours: sorted.map { $0.0 }, hasLocked: found.hasLocked), sorted.last?.1)
    }

    /// Returns the item with the given secret; nil if the secret marks it as removed.
    ///
    /// - Throws: ``SecureStoreError`` (`locked`, `noCollection`) if it is removed and another keyring may hold a second
    ///   one.
    private func live(_ secret: SecretBytes, of found: Found) throws -> (found: Found, item: SecretBytes?) {
        guard secret == Self.removedMarker else { return (found, secret) }
        try proveNothingIsHidden(found)
        return (found, nil)
    }

    private func secrets(of items: [KeyringItem]) throws -> [SecretBytes] {
        try keyring.secrets(of: items.map(\.path), before: deadline)
    }

    /// Throws unless an empty search result proves that no item exists.
    private func proveAbsence(of attributes: ItemAttributes, _ found: Found) throws {
        try proveNothingIsHidden(found)
        // A keyring may have been locked when it was searched and unlocked since.
        let again = try search(attributes)
        guard !again.hasLocked else { throw SecureStoreError(.locked) }
        guard again.ours.isEmpty else { throw BusError.concurrentModification }
    }

    /// Throws unless a search result is complete, and returns the collection that new items go to.
    ///
    /// An empty result alone proves nothing. A keyring that has been locked since its daemon started finds nothing.
    /// Without a default collection the keyring is not set up, or not the one that was used before.
    @discardableResult
    private func proveNothingIsHidden(_ found: Found) throws -> ObjectPath {
        guard !found.hasLocked else { throw SecureStoreError(.locked) }
        guard let standard = try keyring.defaultCollection(before: deadline) else {
            throw SecureStoreError(.noCollection)
        }
        // Not every provider lists its default collection.
        for collection in try [standard] + keyring.collections(before: deadline) {
            guard try !keyring.isLocked(collection, before: deadline) else { throw SecureStoreError(.locked) }
        }
        return standard
    }

    private func put(_ item: SecretBytes, _ attributes: ItemAttributes, over found: Found) throws {
        guard let newest = found.ours.last else {
            // The item may be in a locked keyring. No second one is created beside it.
            return try create(item, attributes, in: try proveNothingIsHidden(found))
        }
        try keyring.setSecret(item, of: newest.path, before: deadline)
        // The new item is written and counts as the newest. A duplicate that stays is older, and the next write removes
        // it.
        try? delete(found.ours.dropLast())
    }

    private func create(_ item: SecretBytes, _ attributes: ItemAttributes, in collection: ObjectPath) throws {
        if let shell = try shell() {
            // The secret first: a reader that finds the item finds it complete.
            try keyring.setSecret(item, of: shell, before: deadline)
            return try keyring.setAttributes(attributes.query, of: shell, before: deadline)
        }
        try keyring.createItem(
            in: collection,
            label: "Sallyport: \(scope.service) (\(scope.account))",
            attributes: attributes.query,
            secret: item,
            before: deadline
        )
    }

    private func remove(_ found: Found) throws {
        try delete(found.ours[...])
        // A copy may be in a locked keyring, and then the item is not gone.
        try proveNothingIsHidden(found)
    }

    /// Deletes items, the newest last, so that an interruption never leaves only older ones.
    ///
    /// A vanished item is no proof of its removal: KeePassXC takes its items off the bus when it locks. The whole step
    /// then begins again with a search.
    ///
    /// If the keyring deletes only with a prompt, the item is emptied and the prompt is not called.
    private func delete(_ items: ArraySlice<KeyringItem>) throws {
        for item in items {
            guard try keyring.delete(item.path, before: deadline) != nil else { continue }
            guard try !keyring.isLocked(item.path, .item, before: deadline) else { throw SecureStoreError(.locked) }
            try empty(item)
        }
    }

    /// Removes an item's secret, which has the same effect as its deletion.
    ///
    /// The item is renamed first, because an empty item under its own name would be read as an item. In a keyring that
    /// can't rename, the secret marks it as removed.
    private func empty(_ item: KeyringItem) throws {
        do {
            let attributes = ItemAttributes.emptied(item.attributes, as: .removed)
            try keyring.setAttributes(attributes, of: item.path, before: deadline)
        } catch let fault as BusError where !fault.isStale && fault.kind != .locked && fault.kind != .timedOut {
            // The secret may already mark the item as removed.
            guard try keyring.secret(of: item.path, before: deadline) != Self.removedMarker else { return }
            return try keyring.setSecret(Self.removedMarker, of: item.path, before: deadline)
        }
        try keyring.setSecret(SecretBytes([]), of: item.path, before: deadline)
    }

    /// Returns an emptied entry of this scope with no open prompt, for reuse, so that entries don't gather.
    private func shell() throws -> ObjectPath? {
        try emptiedPaths(.removed).first
    }

    private func retryingVanished<Value>(_ steps: () throws -> Value) throws -> Value {
        for _ in 1..<Self.attempts {
            do {
                return try steps()
            } catch let fault as BusError where fault.kind == .vanishedObject {
                continue
            }
        }
        return try steps()
    }
}
#endif
