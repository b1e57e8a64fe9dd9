// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import SecureStore

/// The promises of every `SecureStore`. A store's own tests run each check:
///
///     @Test(arguments: SecureStoreConformance.checks)
///     func `the store keeps its promises`(check: SecureStoreCheck) async throws {
///         try await check.run(MyStore())
///     }
public enum SecureStoreConformance {
    /// All checks; their order doesn't matter.
    ///
    /// They may run at the same time.
    public static let checks: [SecureStoreCheck] =
        reading + writing + replacing + removing + unlocking + sharing
}

/// One promise of every store, with its check.
public struct SecureStoreCheck: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let description: String

    private let body: @Sendable (any SecureStore, StoreKey) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (any SecureStore, StoreKey) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks a store under a random key, which is removed at the end.
    ///
    /// - Parameter store: An unlocked store that works. Its other items stay untouched.
    /// - Throws: ``ConformanceFailure``; the store's own error if it throws unexpectedly.
    public func run(_ store: any SecureStore) async throws {
        let key = try StoreKey("conformance-\(RandomName.make())")
        do {
            try await body(store, key)
        } catch {
            try? await store.removeItem(forKey: key)
            throw error
        }
        try await store.removeItem(forKey: key)
    }
}

/// An error that names a promise that a store broke, without any secret.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The broken promise.
    public let description: String

    /// Creates a failure, for checks of your own.
    public init(_ description: String) {
        self.description = description
    }
}
