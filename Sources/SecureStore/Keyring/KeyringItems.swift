// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import AuthCore

/// The reads, writes and removals of items, which never report an unproved absence as absence.
///
/// Changes are made under the lock that all processes share; see ``KeyringStore``. All work can run twice: it begins
/// with a search for the present items.
struct KeyringItems {
    let keyring: SecretService
    /// Whether the same call has sent a write before, on a connection that was lost before the reply.
    let mayHaveWritten: Bool

    /// The secret of a removed item in a keyring that does not delete it without a prompt.
    private static let removedMarker = SecretBytes("removed by Sallyport 3f6c1f0a5be24d1c9a0e7d5b1c86a2f4".utf8)

    /// The number of attempts at a step while another process removes the items it works on.
    private static let attempts = 3

    // MARK: Operations

    func read(_ attributes: ItemAttributes) throws -> SecretBytes? {
        try retryingVanished { try present(attributes).item }
    }

    func write(_ item: SecretBytes, _ attributes: ItemAttributes) throws {
        try retryingVanished {
            let found = try search(attributes)
            // A single item is overwritten, removed or not.
            try put(item, attributes, over: found.ours.count > 1 ? removedFirst(found).found : found)
        }
    }

    /// Writes or removes an item if it is the expected one; see ``SecureStore/replaceItem(forKey:ifEquals:with:)``.
    func replace(_ attributes: ItemAttributes, ifEquals expected: SecretBytes?, with item: SecretBytes?) throws -> Bool
    {
        try retryingVanished {
            let (found, present) = try present(attributes)
            if present == item, item == nil || mayHaveWritten { return true }
            guard present == expected else { return false }
            if let item { try put(item, attributes, over: found) } else { try remove(found) }
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
        try found(at: try keyring.searchItems(attributes.query), attributes)
    }

    private func found(at paths: SecretService.Paths, _ attributes: ItemAttributes) throws -> Found {
        // An item that vanishes now was removed or replaced, so the rest of the search result is outdated too.
        let ours = try keyring.describe(paths.unlocked).filter { attributes.match($0.attributes) }
        return Found(ours: ours.sorted { $0.order < $1.order }, hasLocked: !paths.locked.isEmpty)
    }

    /// Returns the items with the attributes, and the present item; nil only if its absence is proved.
    private func present(_ attributes: ItemAttributes) throws -> (found: Found, item: SecretBytes?) {
        let paths = try keyring.searchItems(attributes.query)
        // The locked keyring may hold a newer item.
        guard paths.locked.isEmpty else { throw SecureStoreError(.locked) }
        // Nearly always there is one item and it matches. Then one step reads its secret together with its attributes.
        if let only = paths.unlocked.first, paths.unlocked.count == 1 {
            let (found, secret) = try keyring.read(only)
            if attributes.match(found) {
                let item = KeyringItem(path: only, attributes: found)
                return try live(secret, of: Found(ours: [item], hasLocked: false))
            }
        }
        let (found, secret) = try removedFirst(try found(at: paths, attributes))
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
        let read = Array(zip(found.ours, try keyring.secrets(of: found.ours.map(\.path))))
        let sorted = read.filter { $1 == Self.removedMarker } + read.filter { $1 != Self.removedMarker }
        return (Found(ours: sorted.map { $0.0 }, hasLocked: found.hasLocked), sorted.last?.1)
    }

    /// Returns the item with the given secret; nil if it is marked as removed, and no keyring may hold a second one.
    private func live(_ secret: SecretBytes, of found: Found) throws -> (found: Found, item: SecretBytes?) {
        guard secret == Self.removedMarker else { return (found, secret) }
        try proveNothingIsHidden(found)
        return (found, nil)
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
        guard let standard = try keyring.defaultCollection() else { throw SecureStoreError(.noCollection) }
        // Not every provider lists its default collection.
        for collection in try [standard] + keyring.collections() {
            guard try !keyring.isLocked(collection) else { throw SecureStoreError(.locked) }
        }
        return standard
    }

    private func put(_ item: SecretBytes, _ attributes: ItemAttributes, over found: Found) throws {
        guard let newest = found.ours.last else {
            // The item may be in a locked keyring. No second one is created beside it.
            let collection = try proveNothingIsHidden(found)
            return try sending { try keyring.createItem(attributes, item, in: collection) }
        }
        try sending { try keyring.setSecret(item, of: newest.path) }
        // The new item is written and counts as the newest. A duplicate that stays is older, and the next write removes
        // it.
        try? delete(found.ours.dropLast())
    }

    /// Sends a write or a removal, whose error says so if the connection was lost before the reply.
    private func sending<Value>(_ change: () throws -> Value) throws -> Value {
        do {
            return try change()
        } catch var fault as BusError {
            fault.mayHaveWritten = [.diedInCall, .deadConnection].contains(fault.kind)
            throw fault
        }
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
    /// If the keyring deletes only with a prompt, the prompt is not called, and the marker takes the secret's place.
    private func delete(_ items: ArraySlice<KeyringItem>) throws {
        for item in items {
            guard try !sending({ try keyring.delete(item.path) }) else { continue }
            let isLocked = try keyring.isLocked(item.path, of: SecretService.Interface.item)
            guard !isLocked else { throw SecureStoreError(.locked) }
            // KeePassXC keeps the older versions of an entry: a marker is not written over a marker.
            guard try keyring.secrets(of: [item.path]).first != Self.removedMarker else { continue }
            try sending { try keyring.setSecret(Self.removedMarker, of: item.path) }
        }
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

/// The attributes by which an item is found, all of them.
///
/// Sallyport's attributes hold the app's names and nothing that identifies the user, because keyrings store attributes
/// in plaintext.
struct ItemAttributes {
    /// The names and values; `application`, `service`, `account` and `key` for an item of Sallyport's.
    let query: [String: String]
    /// The name under which a keyring's window shows a new item.
    let label: String

    /// The attributes that providers add themselves: all add the schema, and KeePassXC the rest.
    private static let addedByProviders: Set<String> = [
        "xdg:schema", "Notes", "Path", "Title", "URL", "UserName", "Uuid", "FDO_SECRETS_CONTENT_TYPE",
    ]

    /// The key of a keyring's probe, which no app's item has: ``StoreKey/init(_:)`` refuses it.
    static let probe = StoreKey(trusted: "~probe")

    /// Creates the attributes of one item.
    init(_ scope: StoreScope, key: StoreKey) {
        query = Self.all(of: scope).merging(["key": key.name]) { $1 }
        label = "Sallyport: \(scope.service) (\(scope.account))"
    }

    /// Creates the complete attributes of another program's item.
    init(exactly attributes: [String: String]) {
        (query, label) = (attributes, "")
    }

    /// Returns the attributes that all items of a scope have in common.
    static func all(of scope: StoreScope) -> [String: String] {
        ["application": "sallyport", "service": scope.service, "account": scope.account]
    }

    /// Returns whether an item that a search found has exactly these attributes, byte for byte.
    ///
    /// A search also finds items that have more attributes.
    func match(_ found: [KeyringItem.Attribute]) -> Bool {
        guard found.count <= query.count + Self.addedByProviders.count else { return false }
        let own = found.filter { !Self.addedByProviders.contains($0.name) }
        return own.count == query.count
            && query.allSatisfy { name, value in
                // Strings with other bytes may be equal, for example an accent written in two ways.
                own.contains { $0.name.utf8.elementsEqual(name.utf8) && $0.value.utf8.elementsEqual(value.utf8) }
            }
    }
}

/// An item as a keyring describes it, without its secret.
struct KeyringItem {
    typealias Attribute = (name: String, value: String)

    let path: ObjectPath
    let attributes: [Attribute]
    // The times don't matter for the only item with its attributes.
    var modified: UInt64 = 0
    var created: UInt64 = 0

    /// The order from the oldest to the newest.
    ///
    /// Keyrings count in seconds. Of two items of the same second, the one with the later number in its path is the
    /// newer. In any case all processes pick the same one.
    var order: (UInt64, UInt64, Int, String) { (modified, created, path.text.utf8.count, path.text) }
}
#endif
