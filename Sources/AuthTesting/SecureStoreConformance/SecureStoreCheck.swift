internal import AuthCore
public import SecureStore

/// One promise that every store keeps, and how to check it.
public struct SecureStoreCheck: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let name: String

    private let body: @Sendable (any SecureStore, StoreKey) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (any SecureStore, StoreKey) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The name.
    public var description: String { name }

    /// Checks a store, under a random key of its own that is removed at the end.
    ///
    /// - Parameter store: An unlocked store that can be used. What else it holds is left alone.
    /// - Throws: ``ConformanceFailure``; whatever the store throws where it should not.
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
