// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import TestSupport

@testable import SecureStore

/// A target, an older item with two companions, and the lock's folder.
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

    /// Creates a store as a separate process would; it joins the texts of the three items.
    func store(kill: KillSwitch? = nil) throws -> MigratingStore {
        func item(_ store: FaultyStore) -> LegacyItem {
            .stored(in: kill.map { KillableStore(wrapped: store, kill: $0) } ?? store)
        }
        return try MigratingStore(
            kill.map { KillableStore(wrapped: target, kill: $0) } ?? target,
            migrating: .token,
            from: [
                .init(item(main), with: [item(access), item(expiry)]) { value in
                    var bytes = value.unredacted
                    // These reads have no effect at which a process could be killed.
                    for companion in [LegacyItem.stored(in: access), .stored(in: expiry)] {
                        bytes += [0x2F] + (try await companion.value()?.unredacted ?? [])
                    }
                    return SecretBytes(bytes)
                }
            ],
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

    /// The names of the items at the target, including the mark.
    var names: Set<String> { get async throws { try await target.names } }
}
