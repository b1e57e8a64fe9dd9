// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import TestSupport

@testable import SecureStore

extension StoreKey {
    static let access = StoreKey(trusted: "access-token")
    static let expiry = StoreKey(trusted: "expiry")
}

/// A target, three older items that form a group, and the lock's folder.
struct LegacyGroupFixture {
    let folder: TemporaryFolder
    let target = FaultyStore()
    let main = FaultyStore()
    let access = FaultyStore()
    let expiry = FaultyStore()

    static func with(_ body: (LegacyGroupFixture) async throws -> Void) async throws {
        let fixture = LegacyGroupFixture(folder: try TemporaryFolder())
        defer { fixture.folder.remove() }
        try await body(fixture)
    }

    /// Writes the older items as an older version of an app would.
    func write(_ main: String?, _ access: String?, _ expiry: String?) async throws {
        for (store, text) in [(self.main, main), (self.access, access), (self.expiry, expiry)] {
            guard let text else { continue }
            try await store.setItem(SecretBytes(text), forKey: .token)
        }
    }

    func group(kill: KillSwitch? = nil) -> LegacyItemGroup {
        func item(_ store: FaultyStore) -> LegacyStoreItem {
            LegacyStoreItem(.older, in: kill.map { KillableStore(wrapped: store, kill: $0) } ?? store, forKey: .token)
        }
        return LegacyItemGroup(item(main), with: [.access: item(access), .expiry: item(expiry)])
    }

    /// Creates a store as a separate process would.
    func store(kill: KillSwitch? = nil) throws -> MigratingStore {
        try MigratingStore(
            kill.map { KillableStore(wrapped: target, kill: $0) } ?? target,
            migrating: .token,
            from: [.init(group(kill: kill))],
            locksIn: folder.url.path
        )
    }

    /// The older items, the main one first.
    var found: [String?] {
        get async throws {
            var found: [String?] = []
            for store in [main, access, expiry] {
                let item = try await store.item(forKey: .token)
                found.append(item.map { String(decoding: $0.unredacted, as: UTF8.self) })
            }
            return found
        }
    }

    /// The names of all items at the target, including the marker.
    var names: Set<String> {
        get async throws { Set(try await target.keys().map(\.name)) }
    }
}
