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
    /// `accessToken` and `tokenExpiry` of the same service, joined, and is killed at the step before it has an effect.
    static func migrate(_ arguments: WorkerArguments) async throws {
        let (address, service) = (try arguments[0], try arguments[1])
        let steps = Steps(last: try arguments.number(3))
        let target = KeyringStore(scope: try StoreScope(service: service), deadline: .seconds(60), busAddress: address)
        func item(_ account: String) throws -> LegacyItem {
            try LegacyItem.keyring(target, attributes: ["service": service, "account": account]).stepping(steps)
        }
        let companions = try ["accessToken", "tokenExpiry"].map(item)
        let store = try MigratingStore(
            SteppedStore(base: target, steps: steps),
            migrating: try StoreKey("session"),
            from: [
                .init(try item("refreshToken"), with: companions) { value in
                    var bytes = value.unredacted
                    for item in companions { bytes += try await item.value()?.unredacted ?? [] }
                    return SecretBytes(bytes)
                }
            ],
            locksIn: try arguments[2]
        )
        guard try await store.item(forKey: try StoreKey("session")) != nil else { throw WorkerError("no item") }
        await store.finishCleanUp()
        Output.say("done")
    }
}

extension LegacyItem {
    /// Returns the item with a step before each call.
    fileprivate func stepping(_ steps: Steps) -> LegacyItem {
        LegacyItem(
            read: {
                steps.next()
                return try await self.read()
            },
            remove: {
                steps.next()
                try await self.remove()
            }
        )
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
