// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import SecureStore

extension SecureStoreConformance {
    static let unlocking: [SecureStoreCheck] = [
        SecureStoreCheck("a probe leaves everything as it was") { store, key in
            let item = SecretBytes("beside the probe".utf8)
            try await store.setItem(item, forKey: key)
            for _ in 1...2 { try await store.probe() }
            try await expect(item, from: store, forKey: key, "a read after a probe")
        },
        SecureStoreCheck("unlocking an unlocked store returns at once and changes nothing") { store, key in
            let item = SecretBytes("kept".utf8)
            try await store.setItem(item, forKey: key)
            try await store.unlock(timeout: .seconds(60))
            try await expect(item, from: store, forKey: key, "a read after unlocking")
        },
    ]

    /// Checks that a locked store throws `locked`, prompts nobody and keeps its items, and that unlocking it prompts.
    ///
    /// - Parameters:
    ///   - store: An unlocked store that works. Its other items stay untouched.
    ///   - lock: Locks the store.
    ///   - promptCount: Returns the number of prompts that were shown. The test's user confirms each.
    /// - Throws: ``ConformanceFailure``; the store's own error if it throws unexpectedly; the errors of the closures.
    public static func checkUnlocking(
        _ store: any SecureStore,
        locking lock: () async throws -> Void,
        promptCount: () async throws -> Int
    ) async throws {
        let key = try StoreKey("conformance-\(RandomName.make())")
        let (old, new) = (SecretBytes("old".utf8), SecretBytes("new".utf8))
        let calls: [(String, () async throws -> Void)] = [
            ("a read", { _ = try await store.item(forKey: key) }),
            ("a write", { try await store.setItem(new, forKey: key) }),
            ("a removal", { try await store.removeItem(forKey: key) }),
            ("a conditional write", { _ = try await store.replaceItem(forKey: key, ifEquals: old, with: new) }),
            ("a conditional removal", { _ = try await store.replaceItem(forKey: key, ifEquals: old, with: nil) }),
            ("a probe", { try await store.probe() }),
        ]
        try await store.setItem(old, forKey: key)
        try await lock()
        let before = try await promptCount()
        for (name, call) in calls {
            do {
                try await call()
            } catch let error as SecureStoreError where error.code == .locked {
                continue
            }
            throw ConformanceFailure("\(name) of a locked store did not throw locked")
        }
        guard try await promptCount() == before else { throw ConformanceFailure("a call other than unlock prompted") }
        try await store.unlock(timeout: .seconds(60))
        guard try await promptCount() > before else { throw ConformanceFailure("unlocking showed no prompt") }
        try await expect(old, from: store, forKey: key, "a read after unlocking")
        try await store.removeItem(forKey: key)
    }
}
