// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import TestSupport

@testable import SecureStore

extension LegacyItem {
    /// An item of a store of this library.
    static func stored(in store: any SecureStore, forKey key: StoreKey = .token) -> LegacyItem {
        LegacyItem(read: { try await store.item(forKey: key) }, remove: { try await store.removeItem(forKey: key) })
    }
}

extension StoreKey {
    static let mark = StoreKey(trusted: "migrated-from.token")
}

/// The target, two older places and the lock's folder, which several processes of one user share.
struct MigrationFixture {
    let folder: TemporaryFolder
    let target = FaultyStore()
    let older = FaultyStore()
    let oldest = FaultyStore()

    static func with(_ body: (MigrationFixture) async throws -> Void) async throws {
        let fixture = MigrationFixture(folder: try TemporaryFolder())
        defer { fixture.folder.remove() }
        try await body(fixture)
    }

    /// The folder of the lock.
    var locks: String { folder.url.path }

    /// Creates a store as a separate process would.
    func store(
        kill: KillSwitch? = nil,
        converting convert: @escaping @Sendable (SecretBytes) async throws -> SecretBytes = { $0 }
    ) throws -> MigratingStore {
        func killable(_ store: any SecureStore) -> any SecureStore {
            kill.map { KillableStore(wrapped: store, kill: $0) } ?? store
        }
        return try MigratingStore(
            killable(target),
            migrating: .token,
            from: [
                .init(.stored(in: killable(older)), converting: convert),
                .init(.stored(in: killable(oldest)), converting: convert),
            ],
            locksIn: locks
        )
    }

    /// The items at the target and at the older places.
    var found: [SecretBytes?] {
        get async throws {
            var found: [SecretBytes?] = []
            for store in [target, older, oldest] { found.append(try await store.item(forKey: .token)) }
            return found
        }
    }

    /// The names of the items at the target, including the mark.
    var names: Set<String> { get async throws { try await target.names } }
}

extension SecureStore {
    /// The names of the items that the tests of migrations and removals write.
    var names: Set<String> {
        get async throws {
            var names: Set<String> = []
            for key in [StoreKey.token, .other, .mark] where try await item(forKey: key) != nil {
                names.insert(key.name)
            }
            return names
        }
    }
}

extension MigratingStore {
    /// Reads the item, and waits until the older places are emptied, so that a test sees its result.
    func itemAfterSearch() async throws -> SecretBytes? {
        let item = try await item(forKey: .token)
        await finishCleanUp()
        return item
    }
}
