// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import TestSupport

@testable import SecureStore

extension StoreLocationName {
    static let older = StoreLocationName(trusted: "older-service")
    static let oldest = StoreLocationName(trusted: "settings")
}

/// The target, two older locations and the lock's folder, which several processes of one user share.
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
        converting convert: @escaping @Sendable (SecretBytes) throws -> SecretBytes = { $0 }
    ) throws -> MigratingStore {
        func killable(_ store: any SecureStore) -> any SecureStore {
            kill.map { KillableStore(wrapped: store, kill: $0) } ?? store
        }
        return try MigratingStore(
            killable(target),
            migrating: .token,
            from: [
                .init(LegacyStoreItem(.older, in: killable(older), forKey: .token), converting: convert),
                .init(LegacyStoreItem(.oldest, in: killable(oldest), forKey: .token), converting: convert),
            ],
            locksIn: locks
        )
    }

    /// The items at the target and at the older locations.
    var found: [SecretBytes?] {
        get async throws {
            var found: [SecretBytes?] = []
            for store in [target, older, oldest] { found.append(try await store.item(forKey: .token)) }
            return found
        }
    }

    /// The names of all items at the target, including the marker.
    var names: Set<String> {
        get async throws { Set(try await target.keys().map(\.name)) }
    }
}

extension MigratingStore {
    /// Reads the item, and waits until the search for leftovers has ended, so that a test sees its result.
    func itemAfterSearch() async throws -> SecretBytes? {
        let item = try await item(forKey: .token)
        await finishCleanUp()
        return item
    }
}
