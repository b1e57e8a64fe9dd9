// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

extension SecureStoreConformance {
    static let removing: [SecureStoreCheck] = [
        SecureStoreCheck("a removed item is absent, and can be written again") { store, key in
            try await store.setItem(SecretBytes("first".utf8), forKey: key)
            try await store.removeItem(forKey: key)
            try await expect(nil, from: store, forKey: key, "a read after the removal")
            try await store.setItem(SecretBytes("second".utf8), forKey: key)
            try await expect(SecretBytes("second".utf8), from: store, forKey: key)
        },
        SecureStoreCheck("removing an absent item is no error") { store, key in
            try await store.removeItem(forKey: key)
            try await store.removeItem(forKey: key)
        },
        SecureStoreCheck("a conditional removal removes the expected item") { store, key in
            let item = SecretBytes("expected".utf8)
            try await store.setItem(item, forKey: key)
            guard try await store.replaceItem(forKey: key, ifEquals: SecretBytes("expected".utf8), with: nil) else {
                throw ConformanceFailure("a conditional removal left the expected item")
            }
            try await expect(nil, from: store, forKey: key, "a read after the removal")
        },
        SecureStoreCheck("a conditional removal leaves another item") { store, key in
            let item = SecretBytes("newer".utf8)
            try await store.setItem(item, forKey: key)
            for other in ["older", "newer and longer", ""] {
                guard try await !store.replaceItem(forKey: key, ifEquals: SecretBytes(other.utf8), with: nil) else {
                    throw ConformanceFailure("a conditional removal removed another item than the expected one")
                }
            }
            try await expect(item, from: store, forKey: key, "a read after a refused removal")
        },
        SecureStoreCheck("a conditional removal of an absent item reports its absence") { store, key in
            guard try await store.replaceItem(forKey: key, ifEquals: SecretBytes("any".utf8), with: nil) else {
                throw ConformanceFailure("an absent item was reported as another item")
            }
        },
    ]
}
