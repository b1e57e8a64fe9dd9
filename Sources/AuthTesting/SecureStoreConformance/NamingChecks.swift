// SPDX-License-Identifier: Apache-2.0

internal import AuthCore
internal import SecureStore

extension SecureStoreConformance {
    static let naming: [SecureStoreCheck] = [
        SecureStoreCheck("the name of an item exists as long as the item") { store, key in
            guard try await !store.keys().contains(key) else { throw ConformanceFailure("an absent item has a name") }
            try await store.setItem(SecretBytes([]), forKey: key)
            guard try await store.keys().contains(key) else { throw ConformanceFailure("an item has no name") }
            try await store.setItem(SecretBytes("written again".utf8), forKey: key)
            guard try await store.keys().contains(key) else { throw ConformanceFailure("an item has no name") }
            try await store.removeItem(forKey: key)
            guard try await !store.keys().contains(key) else { throw ConformanceFailure("a removed item has a name") }
        },
        SecureStoreCheck("two items have two names") { store, key in
            let other = try StoreKey("\(key).other")
            try await store.setItem(SecretBytes("one".utf8), forKey: key)
            try await store.setItem(SecretBytes("two".utf8), forKey: other)
            let names = try await store.keys()
            try await store.removeItem(forKey: other)
            guard names.isSuperset(of: [key, other]) else { throw ConformanceFailure("an item has no name") }
        },
        SecureStoreCheck("a probe leaves everything as it was") { store, key in
            let item = SecretBytes("beside the probe".utf8)
            try await store.setItem(item, forKey: key)
            let names = try await store.keys().filter { $0.name.hasPrefix("probe") }
            try await store.probe()
            try await expect(item, from: store, forKey: key, "a read after a probe")
            guard try await store.keys().filter({ $0.name.hasPrefix("probe") }).subtracting(names).isEmpty else {
                throw ConformanceFailure("a probe left an item behind")
            }
        },
        SecureStoreCheck("a working store is diagnosed without a problem") { store, _ in
            let diagnosis = await store.diagnose()
            let protection = await store.protection
            guard diagnosis.problem == nil, diagnosis.isLocked != true, diagnosis.protection == protection else {
                throw ConformanceFailure("a working store was diagnosed with a problem")
            }
        },
    ]

    /// The checks that touch every item of a store's scope.
    ///
    /// Run them on a store made for the test, and not at the same time as the other checks.
    public static let wholeStoreChecks: [SecureStoreCheck] = [
        SecureStoreCheck("removing all items leaves nothing, and the store still works") { store, key in
            for number in 1...3 {
                try await store.setItem(SecretBytes([UInt8(number)]), forKey: try StoreKey("\(key).\(number)"))
            }
            try await store.removeAll()
            guard try await store.keys().isEmpty else { throw ConformanceFailure("removing all items left a name") }
            for number in 1...3 {
                try await expect(
                    nil,
                    from: store,
                    forKey: try StoreKey("\(key).\(number)"),
                    "a read after removing all items"
                )
            }
            try await store.removeAll()
            try await store.setItem(SecretBytes("after".utf8), forKey: key)
            try await expect(SecretBytes("after".utf8), from: store, forKey: key)
        }
    ]
}
