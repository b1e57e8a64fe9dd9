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

    static let replacing: [SecureStoreCheck] = [
        SecureStoreCheck("a conditional write replaces the expected item") { store, key in
            let (old, new) = (SecretBytes("old".utf8), SecretBytes("new".utf8))
            try await store.setItem(old, forKey: key)
            guard try await store.replaceItem(forKey: key, ifEquals: old, with: new) else {
                throw ConformanceFailure("a conditional write did not replace the expected item")
            }
            try await expect(new, from: store, forKey: key, "a read after a conditional write")
        },
        SecureStoreCheck("a conditional write leaves another item") { store, key in
            let (present, new) = (SecretBytes("present".utf8), SecretBytes("new".utf8))
            try await store.setItem(present, forKey: key)
            for other in [SecretBytes("older".utf8), SecretBytes("present and longer".utf8), SecretBytes([]), nil] {
                guard try await !store.replaceItem(forKey: key, ifEquals: other, with: new) else {
                    throw ConformanceFailure("a conditional write replaced another item than the expected one")
                }
            }
            try await expect(present, from: store, forKey: key, "a read after a refused write")
        },
        SecureStoreCheck("a conditional write that expects no item creates it, once") { store, key in
            let (first, second) = (SecretBytes("first".utf8), SecretBytes("second".utf8))
            guard try await store.replaceItem(forKey: key, ifEquals: nil, with: first) else {
                throw ConformanceFailure("a conditional write found an item although there is none")
            }
            guard try await !store.replaceItem(forKey: key, ifEquals: nil, with: second) else {
                throw ConformanceFailure("a conditional write found no item although there is one")
            }
            try await expect(first, from: store, forKey: key, "a read after a refused write")
        },
        SecureStoreCheck("a conditional write that expects an item creates none") { store, key in
            let expected = SecretBytes("removed meanwhile".utf8)
            guard try await !store.replaceItem(forKey: key, ifEquals: expected, with: SecretBytes("new".utf8)) else {
                throw ConformanceFailure("a conditional write restored a removed item")
            }
            try await expect(nil, from: store, forKey: key, "a read after a refused write")
        },
        SecureStoreCheck("a conditional write that is too large is refused, and the old item stays") { store, key in
            let old = SecretBytes("old".utf8)
            try await store.setItem(old, forKey: key)
            let large = SecretBytes(Array(repeating: 7, count: SecretBytes.maximumItemSize + 1))
            do {
                _ = try await store.replaceItem(forKey: key, ifEquals: old, with: large)
            } catch let error as SecureStoreError where error.code == .itemTooLarge {
                return try await expect(old, from: store, forKey: key, "a read after a refused write")
            }
            throw ConformanceFailure("a conditional write above the maximum size was accepted")
        },
        SecureStoreCheck("exactly one of several conditional writes from one value succeeds") { store, key in
            let old = SecretBytes("old".utf8)
            for round in UInt8(0)..<4 {
                try await store.setItem(old, forKey: key)
                let items = (UInt8(0)..<8).map { SecretBytes([round, $0]) }
                let winners = try await withThrowingTaskGroup(of: SecretBytes?.self) { group in
                    for item in items {
                        group.addTask {
                            try await store.replaceItem(forKey: key, ifEquals: old, with: item) ? item : nil
                        }
                    }
                    return try await group.reduce(into: []) { winners, winner in winners += [winner].compactMap(\.self)
                    }
                }
                guard let winner = winners.first, winners.count == 1 else {
                    throw ConformanceFailure("\(winners.count) of 8 conditional writes from one value succeeded")
                }
                try await expect(winner, from: store, forKey: key, "a read after concurrent conditional writes")
            }
        },
    ]
}
