// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

extension SecureStoreConformance {
    static let reading: [SecureStoreCheck] = [
        SecureStoreCheck("an item that was never written is absent") { store, key in
            try await expect(nil, from: store, forKey: key)
        },
        SecureStoreCheck("an item reads as it was written") { store, key in
            let item = SecretBytes("a stored item".utf8)
            try await store.setItem(item, forKey: key)
            try await expect(item, from: store, forKey: key)
            try await expect(item, from: store, forKey: key)
        },
        SecureStoreCheck("NUL bytes are kept") { store, key in
            let item = SecretBytes([0, 1, 0, 0, 2, 0])
            try await store.setItem(item, forKey: key)
            try await expect(item, from: store, forKey: key)
        },
        SecureStoreCheck("an empty item is present, not absent") { store, key in
            try await store.setItem(SecretBytes([]), forKey: key)
            try await expect(SecretBytes([]), from: store, forKey: key)
        },
        SecureStoreCheck("bytes of every value are kept") { store, key in
            let item = SecretBytes(Array(UInt8.min...UInt8.max))
            try await store.setItem(item, forKey: key)
            try await expect(item, from: store, forKey: key)
        },
        SecureStoreCheck("an item of the maximum size is kept") { store, key in
            let item = SecretBytes((0..<SecretBytes.maximumItemSize).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try await store.setItem(item, forKey: key)
            try await expect(item, from: store, forKey: key)
        },
    ]

    static func expect(
        _ expected: SecretBytes?,
        from store: any SecureStore,
        forKey key: StoreKey,
        _ context: String = "a read"
    ) async throws {
        let found = try await store.item(forKey: key)
        guard found != expected else { return }
        throw ConformanceFailure("\(context) returned \(summary(found)) instead of \(summary(expected))")
    }

    private static func summary(_ item: SecretBytes?) -> String {
        item.map { "an item of \($0.count) bytes" } ?? "no item"
    }
}
