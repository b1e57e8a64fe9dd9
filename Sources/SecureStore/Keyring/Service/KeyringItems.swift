#if Keyring && canImport(CSecretService)
internal import AuthCore

/// Reads, writes and removes items, and never takes "can't say" for "absent".
///
/// Changes are made under the lock that all processes share; see ``KeyringStore``.
struct KeyringItems {
    let keyring: SecretService
    let scope: StoreScope
    let deadline: CallDeadline
    /// Takes the prompts for what is emptied because the keyring deletes nothing without one; nil to drop them.
    var offers: DeletionOffers?

    /// The secret of a removed item that the keyring neither deletes nor gives other attributes.
    private static let tombstone = Array("removed by Sallyport 3f6c1f0a5be24d1c9a0e7d5b1c86a2f4".utf8)

    /// How often a step is begun again because another process removed the very item it worked on.
    private static let attempts = 3

    // MARK: Operations

    func read(_ attributes: ItemAttributes) throws -> SecretBytes? {
        try retryingVanished { try present(attributes).item }
    }

    func keys() throws -> Set<StoreKey> {
        try retryingVanished {
            let found = try searchAll()
            try proveNothingIsHidden(found)
            let present = try zip(found.ours, secrets(of: found.ours)).filter { $1 != Self.tombstone }
            return Set(present.compactMap { ItemAttributes.key(of: $0.0.attributes, in: scope) })
        }
    }

    /// Returns how many removed items of this scope the keyring still has, emptied.
    func countEmptied() throws -> Int {
        try retryingVanished {
            let tombstones = try secrets(of: searchAll().ours).filter { $0 == Self.tombstone }
            let query = ItemAttributes.removed(ItemAttributes.all(of: scope))
            return try tombstones.count + keyring.searchItems(query, before: deadline).unlocked.count
        }
    }

    func write(_ item: SecretBytes, _ attributes: ItemAttributes) throws {
        try retryingVanished { try put(item, attributes, over: try search(attributes)) }
    }

    /// Replaces an item where it is the expected one.
    ///
    /// - Parameters:
    ///   - attributes: Which item.
    ///   - expected: What must be there; nil for nothing. Secret.
    ///   - item: What takes its place. Secret.
    ///   - sent: Remembers across attempts that the new item was sent. Where no answer came, because the daemon died, and
    ///     the new item is found, it was written.
    /// - Returns: Whether it was written.
    /// - Throws: ``SecureStoreError``; ``BusFault``.
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

    // MARK: Unlocking

    /// What the person is to be asked for, so that a call that found a locked keyring can be made.
    ///
    /// - Returns: The prompt; nil where nothing is locked.
    func unlockOffer() throws -> PromptOffer? {
        // Items of ours first: they may be in another keyring than the default one.
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
        /// Exactly ours and unlocked, the newest last.
        ///
        /// More than one of a key where two processes made one at the same time.
        var ours: [KeyringItem]
        /// Whether a locked keyring holds something that may be ours.
        var hasLocked: Bool
    }

    private func search(_ attributes: ItemAttributes) throws -> Found {
        try search(attributes.query, attributes.match)
    }

    /// All items of the scope.
    private func searchAll() throws -> Found {
        try search(ItemAttributes.all(of: scope)) { ItemAttributes.key(of: $0, in: scope) != nil }
    }

    private func search(_ query: [String: String], _ isOurs: ([String: String]) -> Bool) throws -> Found {
        try found(at: try keyring.searchItems(query, before: deadline), isOurs)
    }

    private func found(at paths: SecretService.Paths, _ isOurs: ([String: String]) -> Bool) throws -> Found {
        // One that vanishes now was removed or replaced: what else there is has changed too.
        let found = try keyring.describe(paths.unlocked, before: deadline)
        return Found(ours: found.filter { isOurs($0.attributes) }.sorted(), hasLocked: !paths.locked.isEmpty)
    }

    /// What is found under attributes, and the item; nil only where its absence is proved.
    private func present(_ attributes: ItemAttributes) throws -> (found: Found, item: SecretBytes?) {
        let paths = try keyring.searchItems(attributes.query, before: deadline)
        // A newer one may be in the keyring that is locked.
        guard paths.locked.isEmpty else { throw SecureStoreError(.locked) }
        // Nearly always there is one, and it is ours: then its secret is asked for together with its attributes.
        if let only = paths.unlocked.first, paths.unlocked.count == 1 {
            let (found, secret) = try keyring.read(only, before: deadline)
            if attributes.match(found) {
                let item = KeyringItem(path: only, attributes: found)
                return try told(secret, of: Found(ours: [item], hasLocked: false))
            }
        }
        let found = try found(at: paths, attributes.match)
        guard let newest = found.ours.last else {
            try proveAbsence(of: attributes, found)
            return (found, nil)
        }
        return try told(try keyring.secret(of: newest.path, before: deadline), of: found)
    }

    /// The item whose secret was read; nil if it was removed and no locked keyring may hold another one.
    private func told(_ secret: [UInt8], of found: Found) throws -> (found: Found, item: SecretBytes?) {
        guard secret == Self.tombstone else { return (found, SecretBytes(secret)) }
        try proveNothingIsHidden(found)
        return (found, nil)
    }

    private func secrets(of items: [KeyringItem]) throws -> [[UInt8]] {
        try keyring.secrets(of: items.map(\.path), before: deadline)
    }

    /// Throws unless a search that found nothing proves that there is nothing.
    private func proveAbsence(of attributes: ItemAttributes, _ found: Found) throws {
        try proveNothingIsHidden(found)
        // A keyring may have been locked when it was searched and unlocked since.
        let again = try search(attributes)
        guard !again.hasLocked else { throw SecureStoreError(.locked) }
        guard again.ours.isEmpty else { throw BusFault.changedMeanwhile }
    }

    /// Throws unless what a search found is all there is, and gives the collection that new items go to.
    ///
    /// An empty answer alone proves nothing: a keyring that has been locked since its daemon started finds nothing,
    /// and without a default collection the keyring is not set up, or not the one that was used before.
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
            // It may be in a keyring that is locked: no second one is made beside it.
            return try create(item, attributes, in: try proveNothingIsHidden(found))
        }
        try keyring.setSecret(item.unredacted, of: newest.path, before: deadline)
        // The new item is in, and the newest counts: a duplicate that stays is older, and the next write's to remove.
        try? delete(found.ours.dropLast())
    }

    private func create(_ item: SecretBytes, _ attributes: ItemAttributes, in collection: ObjectPath) throws {
        if let shell = try shell() {
            // The secret first: whoever finds the item finds it whole.
            try keyring.setSecret(item.unredacted, of: shell, before: deadline)
            return try keyring.setAttributes(attributes.query, of: shell, before: deadline)
        }
        try keyring.createItem(
            in: collection,
            label: "Sallyport: \(scope.service) (\(scope.account))",
            attributes: attributes.query,
            secret: item.unredacted,
            before: deadline
        )
    }

    private func remove(_ found: Found) throws {
        try delete(found.ours[...])
        // A copy may be in a keyring that is locked: then the item is not gone.
        try proveNothingIsHidden(found)
    }

    /// Deletes items, the newest last: cut short, what is left is never older than what was there.
    ///
    /// One that has vanished is no proof that it is gone: KeePassXC takes its items off the bus when it locks. The whole
    /// step is begun again then, with a search.
    ///
    /// A keyring that deletes nothing without a prompt has the item emptied: then it is gone whatever the user decides.
    private func delete(_ items: ArraySlice<KeyringItem>) throws {
        for item in items {
            guard let offer = try keyring.delete(item.path, before: deadline) else { continue }
            guard try !keyring.isLocked(item.path, .item, before: deadline) else { throw SecureStoreError(.locked) }
            try empty(item)
            offers?.add(offer)
        }
    }

    /// Takes an item's secret away, so that it is as good as gone.
    ///
    /// Renamed first, for an empty item under its own name would be taken for one. In a keyring that renames nothing the
    /// tombstone says that it was removed.
    private func empty(_ item: KeyringItem) throws {
        do {
            try keyring.setAttributes(ItemAttributes.removed(item.attributes), of: item.path, before: deadline)
        } catch let fault as BusFault where !fault.isStale && fault.kind != .locked && fault.kind != .timedOut {
            return try keyring.setSecret(Self.tombstone, of: item.path, before: deadline)
        }
        try keyring.setSecret([], of: item.path, before: deadline)
    }

    /// An item of this scope that was emptied, to be used again, so that there is never more than one for each item.
    private func shell() throws -> ObjectPath? {
        let query = ItemAttributes.removed(ItemAttributes.all(of: scope))
        return try keyring.searchItems(query, before: deadline).unlocked.first
    }

    private func retryingVanished<Value>(_ steps: () throws -> Value) throws -> Value {
        for _ in 1..<Self.attempts {
            do {
                return try steps()
            } catch let fault as BusFault where fault.kind == .vanishedObject {
                continue
            }
        }
        return try steps()
    }
}
#endif
