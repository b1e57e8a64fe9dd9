#if Keyring && canImport(CSecretService)
internal import AuthCore

/// Reads, writes and removes items of one service and account, and never takes "can't say" for "absent".
struct KeyringItems {
    let keyring: SecretService
    let service: StoreService
    let account: StoreAccount
    let deadline: CallDeadline

    /// How often a step is begun again because another process removed the very item it worked on.
    private static let attempts = 3

    // MARK: Operations

    func read(_ key: StoreKey) throws -> SecretBytes? {
        try retryingVanished {
            let found = try search(key)
            guard let newest = found.ours.last else {
                try proveAbsence(of: key, found)
                return nil
            }
            return SecretBytes(try keyring.secret(of: newest.path, before: deadline))
        }
    }

    func write(_ item: SecretBytes, _ key: StoreKey) throws {
        try retryingVanished {
            let found = try search(key)
            guard let newest = found.ours.last else {
                return try create(item, key)
            }
            try keyring.setSecret(item.unredacted, of: newest.path, before: deadline)
            try remove(found.ours.dropLast())
        }
    }

    func remove(_ key: StoreKey) throws {
        try retryingVanished {
            let found = try search(key)
            guard !found.ours.isEmpty else { return try proveAbsence(of: key, found) }
            try remove(found.ours[...])
            // A copy may be in a keyring that is locked: then the item is not gone.
            guard !found.hasLocked else { throw SecureStoreError(.locked) }
        }
    }

    func remove(_ key: StoreKey, ifEquals expected: SecretBytes) throws -> Bool {
        try retryingVanished {
            let found = try search(key)
            guard let newest = found.ours.last else {
                try proveAbsence(of: key, found)
                return true
            }
            let present = SecretBytes(try keyring.secret(of: newest.path, before: deadline))
            guard present == expected else { return false }
            try remove(found.ours[...])
            guard !found.hasLocked else { throw SecureStoreError(.locked) }
            return true
        }
    }

    // MARK: Steps

    private struct Found {
        /// Exactly ours and unlocked, the newest last.
        ///
        /// More than one where two processes made one at the same time.
        var ours: [KeyringItem]
        /// Whether a locked keyring holds something that may be ours.
        var hasLocked: Bool
    }

    private func search(_ key: StoreKey) throws -> Found {
        let attributes = ItemAttributes(service: service, account: account, key: key)
        let paths = try keyring.searchItems(attributes.query, before: deadline)
        // One that vanishes now was removed or replaced: what else there is has changed too.
        let ours = try paths.unlocked.map { try keyring.describe($0, before: deadline) }
        return Found(ours: ours.filter { attributes.match($0.attributes) }.sorted(), hasLocked: !paths.locked.isEmpty)
    }

    /// Throws unless a search that found nothing proves that there is nothing.
    ///
    /// An empty answer alone proves nothing: a keyring that has been locked since its daemon started finds nothing,
    /// and without a default collection the keyring is not set up, or not the one that was used before.
    private func proveAbsence(of key: StoreKey, _ found: Found) throws {
        guard !found.hasLocked else { throw SecureStoreError(.locked) }
        guard let standard = try keyring.defaultCollection(before: deadline) else {
            throw SecureStoreError(.noCollection)
        }
        // Not every provider lists its default collection.
        for collection in try [standard] + keyring.collections(before: deadline) {
            guard try keyring.isLocked(collection, before: deadline) == false else { throw SecureStoreError(.locked) }
        }
        // It may have been locked when it was searched and unlocked since.
        let again = try search(key)
        guard !again.hasLocked else { throw SecureStoreError(.locked) }
        guard again.ours.isEmpty else { throw BusFault.changedMeanwhile }
    }

    private func create(_ item: SecretBytes, _ key: StoreKey) throws {
        guard let collection = try keyring.defaultCollection(before: deadline) else {
            throw SecureStoreError(.noCollection)
        }
        guard try keyring.isLocked(collection, before: deadline) == false else { throw SecureStoreError(.locked) }
        try keyring.createItem(
            in: collection,
            label: "Sallyport: \(service) (\(account))",
            attributes: ItemAttributes(service: service, account: account, key: key).query,
            secret: item.unredacted,
            before: deadline
        )
    }

    /// Removes items, the newest last: cut short, what is left is never older than what was there.
    private func remove(_ items: ArraySlice<KeyringItem>) throws {
        for item in items {
            try unlessVanished { try keyring.delete(item.path, before: deadline) }
        }
    }

    private func unlessVanished<Value>(_ step: () throws -> Value) throws -> Value? {
        do {
            return try step()
        } catch let fault as BusFault where fault.kind == .vanishedObject {
            return nil
        }
    }

    private func retryingVanished<Value>(_ steps: () throws -> Value) throws -> Value {
        for _ in 1..<Self.attempts {
            if let value = try unlessVanished(steps) { return value }
        }
        return try steps()
    }
}
#endif
