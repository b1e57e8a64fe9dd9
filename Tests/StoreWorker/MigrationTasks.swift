// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Glibc
import SecureStore
import Synchronization
import TestSupport

/// A migration whose process ends at a given step.
enum MigrationTasks {
    /// Runs `migrate ADDRESS SERVICE LOCKS STEP`: reads the item `session`, migrated from the items `refreshToken`,
    /// `accessToken` and `tokenExpiry` of the same service, and is killed at the step before it has an effect.
    static func migrate(_ arguments: WorkerArguments) async throws {
        let (address, service) = (try arguments[0], try arguments[1])
        let steps = Steps(last: try arguments.number(3))
        let location = try LegacyLocation.keyring(services: [service], deadline: .seconds(60), busAddress: address)[1]
        func item(_ account: String) throws -> SteppedItem {
            SteppedItem(base: try location.item(account), steps: steps)
        }
        let companions = try ["accessToken", "tokenExpiry"].map { (try StoreKey($0), try item($0)) }
        let group = LegacyItemGroup(
            try item("refreshToken"),
            with: Dictionary(uniqueKeysWithValues: companions)
        )
        let target = KeyringStore(service: try StoreService(service), deadline: .seconds(60), busAddress: address)
        let store = try MigratingStore(
            SteppedStore(base: target, steps: steps),
            migrating: try StoreKey("session"),
            from: [.init(group)],
            locksIn: try arguments[2]
        )
        guard try await store.item(forKey: try StoreKey("session")) != nil else { throw WorkerError("no item") }
        await store.finishCleanUp()
        Output.say("done")
    }
}

/// The steps of a process, which is killed at the last one.
private final class Steps: Sendable {
    private let last: Int
    private let count = Mutex(0)

    init(last: Int) {
        self.last = last
    }

    func next() {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == last { _ = kill(getpid(), SIGKILL) }
    }
}

private struct SteppedItem: LegacyItemSource {
    let base: any LegacyItemSource
    let steps: Steps

    var name: StoreLocationName { base.name }

    func item() async throws -> SecretBytes? {
        steps.next()
        return try await base.item()
    }

    func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        steps.next()
        return try await base.removeItem(ifEquals: expected)
    }
}

private struct SteppedStore: SecureStore {
    let base: KeyringStore
    let steps: Steps

    var scope: StoreScope { base.scope }
    var protection: StoreProtection { base.protection }

    func item(forKey key: StoreKey) async throws -> SecretBytes? {
        steps.next()
        return try await base.item(forKey: key)
    }

    func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        steps.next()
        try await base.setItem(item, forKey: key)
    }

    func removeItem(forKey key: StoreKey) async throws {
        steps.next()
        try await base.removeItem(forKey: key)
    }

    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        steps.next()
        return try await base.replaceItem(forKey: key, ifEquals: expected, with: item)
    }
}
#endif
