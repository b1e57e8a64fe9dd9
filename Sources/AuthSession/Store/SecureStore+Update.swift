// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

/// The change to make to an item.
enum ItemChange: Sendable {
    /// The item stays as it is.
    case none
    /// The item is written, even if it is absent.
    case replace(SecretBytes)
    /// The item is removed if it exists.
    case remove
}

/// The limit for repeating a change that another process spoiled by changing the store first.
enum CompareAndReplace {
    /// The number of attempts.
    ///
    /// Another process can't be faster every time.
    static let attempts = 8
}

extension SecureStore {
    /// Changes an item by compare and replace: reads it, and starts over if another process was faster.
    ///
    /// - Parameters:
    ///   - key: The item's name.
    ///   - change: A closure that receives the item, or nil, and returns the change to make and the value to return.
    /// - Returns: The value that `change` returned.
    /// - Throws: `SecureStoreError` (`busy` if other processes were faster each time); the errors of `change`;
    ///   `CancellationError`.
    func updateItem<Value>(
        forKey key: StoreKey,
        _ change: (SecretBytes?) throws -> (ItemChange, Value)
    ) async throws -> Value {
        for _ in 0..<CompareAndReplace.attempts {
            let item = try await item(forKey: key)
            let (next, value) = try change(item)
            switch next {
            case .none: return value
            case .replace(let new):
                if try await replaceItem(forKey: key, ifEquals: item, with: new) { return value }
            case .remove:
                guard let item else { return value }
                if try await replaceItem(forKey: key, ifEquals: item, with: nil) { return value }
            }
        }
        throw SecureStoreError(.busy)
    }
}
