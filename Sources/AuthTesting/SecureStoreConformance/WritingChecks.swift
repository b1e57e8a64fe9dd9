// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

extension SecureStoreConformance {
    static let writing: [SecureStoreCheck] = [
        SecureStoreCheck("a second write replaces the first") { store, key in
            try await store.setItem(SecretBytes("a longer first item".utf8), forKey: key)
            try await store.setItem(SecretBytes("second".utf8), forKey: key)
            try await expect(SecretBytes("second".utf8), from: store, forKey: key)
            try await store.removeItem(forKey: key)
            try await expect(nil, from: store, forKey: key, "a read after two writes and one removal")
        },
        SecureStoreCheck("an item that is too large is refused, and the old one stays") { store, key in
            let old = SecretBytes("old".utf8)
            try await store.setItem(old, forKey: key)
            let large = SecretBytes(Array(repeating: 7, count: SecretBytes.maximumItemSize + 1))
            do {
                try await store.setItem(large, forKey: key)
            } catch let error as SecureStoreError where error.code == .itemTooLarge {
                return try await expect(old, from: store, forKey: key, "a read after a refused write")
            }
            throw ConformanceFailure("a write above the maximum size was accepted")
        },
    ]
}
