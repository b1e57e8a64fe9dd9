// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

extension SecureStoreConformance {
    static let sharing: [SecureStoreCheck] = [
        SecureStoreCheck("keys are independent, however similar their names") { store, key in
            let similar = try ["\(key).", "\(key)-2", "\(key).default", "\(key)_", "\(key)".uppercased()]
                .map { try StoreKey($0) }
            try await store.setItem(SecretBytes("own".utf8), forKey: key)
            for other in similar {
                try await expect(nil, from: store, forKey: other, "a read under a similar name")
            }
            for other in similar {
                try await store.setItem(SecretBytes(other.name.utf8), forKey: other)
            }
            try await expect(SecretBytes("own".utf8), from: store, forKey: key, "a read after writes beside it")
            try await store.removeItem(forKey: key)
            for other in similar {
                try await expect(
                    SecretBytes(other.name.utf8),
                    from: store,
                    forKey: other,
                    "a read after the removal of another key"
                )
                try await store.removeItem(forKey: other)
            }
        },
        SecureStoreCheck("concurrent writers leave one whole item") { store, key in
            let items = (UInt8(1)...16).map { SecretBytes(Array(repeating: $0, count: 64 * Int($0))) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for item in items {
                    group.addTask { try await store.setItem(item, forKey: key) }
                }
                try await group.waitForAll()
            }
            guard let left = try await store.item(forKey: key), items.contains(left) else {
                throw ConformanceFailure("concurrent writers left no item, or a mixture")
            }
            try await store.removeItem(forKey: key)
            try await expect(nil, from: store, forKey: key, "a read after many writes and one removal")
        },
        SecureStoreCheck("a reader never misses an item during a write") { store, key in
            let item = SecretBytes("always".utf8)
            try await store.setItem(item, forKey: key)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for _ in 0..<20 { try await store.setItem(item, forKey: key) } }
                group.addTask { for _ in 0..<40 { try await expect(item, from: store, forKey: key) } }
                try await group.waitForAll()
            }
        },
        SecureStoreCheck("a cancelled task gets CancellationError or the whole item") { store, key in
            let item = SecretBytes("kept".utf8)
            try await store.setItem(item, forKey: key)
            let task = Task { () throws -> SecretBytes? in
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await store.item(forKey: key)
            }
            let response = await task.result
            do {
                guard try response.get() == item else {
                    throw ConformanceFailure("a cancelled read returned a wrong item")
                }
            } catch is CancellationError {}
            try await expect(item, from: store, forKey: key, "a read after a cancelled one")
        },
    ]
}
