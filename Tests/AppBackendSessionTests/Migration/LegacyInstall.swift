// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests

/// An app installed over an older version that kept these items, by account.
struct LegacyInstall {
    let fixture: Fixture
    let legacy = MemoryStore()
    let target = MemoryStore()
    let session: AuthSession

    init(
        _ contract: SessionBackend.Contract = .sessionToken,
        _ items: [String: String] = ["authToken": "old-token"]
    ) async throws {
        fixture = try Fixture(contract)
        session = try Self.launch(fixture, target, legacy).session
        try await write(items)
    }

    private static func launch(_ fixture: Fixture, _ target: MemoryStore, _ legacy: MemoryStore) throws
        -> (session: AuthSession, store: MigratingStore)
    {
        let store = try fixture.session.backend.store(target, migratingFrom: [legacyPlace(in: legacy)])
        let (clock, transport) = (fixture.clock, fixture.transport)
        let session = AuthSession(
            backend: fixture.session.backend,
            store: store,
            transport: transport,
            now: { clock.date },
            clock: clock,
            options: .still
        )
        return (session, store)
    }

    /// Returns the restored session of the app's next launch, which has emptied the older place.
    func nextLaunch() async throws -> AuthSession {
        let next = try Self.launch(fixture, target, legacy)
        await next.session.restore(validating: false)
        await next.store.finishCleanUp()
        return next.session
    }

    /// Writes items as an older version of the app would.
    func write(_ items: [String: String]) async throws {
        for (account, text) in items {
            try await legacy.setItem(SecretBytes(Array(text.utf8)), forKey: StoreKey(account))
        }
    }

    func record() async throws -> SessionRecord {
        try SessionRecord(try #require(await target.item(forKey: SessionRecord.key)))
    }

    /// Expects that nothing is left of the older version.
    func expectMigrated() async throws {
        #expect(try await legacy.legacyNames == [])
        #expect(try await target.names == ["session"])
    }
}

/// A place whose items are in a store, as older versions of an app kept them.
func legacyPlace(in store: MemoryStore) -> @Sendable (String) throws -> LegacyItem {
    { account in
        let key = try StoreKey(account)
        return LegacyItem(
            read: { try await store.item(forKey: key) },
            remove: { try await store.removeItem(forKey: key) }
        )
    }
}

extension SecureStore {
    /// The names of the items of a session in this store.
    var names: Set<String> {
        get async throws {
            var names: Set<String> = []
            for name in ["session", "session.ended", "migrated-from.session"] {
                if try await item(forKey: StoreKey(name)) != nil { names.insert(name) }
            }
            return names
        }
    }

    /// The names of the items of older versions in this store.
    var legacyNames: Set<String> {
        get async throws {
            var names: Set<String> = []
            for name in ["authToken", "userId", "accessToken", "refreshToken", "tokenExpiry"] {
                if try await item(forKey: StoreKey(name)) != nil { names.insert(name) }
            }
            return names
        }
    }
}
