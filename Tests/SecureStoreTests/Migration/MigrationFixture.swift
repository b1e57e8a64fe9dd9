import AuthCore
import AuthTesting
import Foundation
import TestSupport

@testable import SecureStore

extension PlaceName {
    static let older = PlaceName(trusted: "older-service")
    static let oldest = PlaceName(trusted: "settings")
}

/// A target and two older places, and a folder for the lock: what several processes of one user share.
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

    /// A store as a process of its own has it.
    func store(
        kill: KillSwitch? = nil,
        converting convert: @escaping @Sendable (SecretBytes) throws -> SecretBytes = { $0 }
    ) throws -> MigratingStore {
        func killable(_ store: any SecureStore) -> any SecureStore {
            kill.map { KillableStore(base: store, kill: $0) } ?? store
        }
        return try MigratingStore(
            killable(target),
            migrating: .token,
            from: [
                .init(OlderStoreItem(.older, in: killable(older), forKey: .token), converting: convert),
                .init(OlderStoreItem(.oldest, in: killable(oldest), forKey: .token), converting: convert),
            ],
            locksIn: locks
        )
    }

    /// What is where: at the target, and at the older places.
    var found: [SecretBytes?] {
        get async throws {
            var found: [SecretBytes?] = []
            for store in [target, older, oldest] { found.append(try await store.item(forKey: .token)) }
            return found
        }
    }

    /// The names of all that the target has, the marker's included.
    var names: Set<String> {
        get async throws { Set(try await target.keys().map(\.name)) }
    }
}
