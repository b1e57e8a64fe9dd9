public import AuthCore
import Synchronization

/// A store in this process's memory: for tests, and for sessions that must not outlive the process.
///
/// Never suspends, never prompts, and ignores the interaction policy.
public final class MemoryStore: SecureStore {
    private let items = Mutex<[StoreKey: SecretBytes]>([:])

    /// Whose items these are: nobody else's, unless it was said.
    public let scope: StoreScope

    /// Makes an empty store.
    ///
    /// - Parameter scope: Whose items; nil for a scope that no other store has.
    public init(scope: StoreScope? = nil) {
        self.scope = scope ?? StoreScope(service: .random)
    }

    /// Always ``StoreProtection/memory``.
    public var protection: StoreProtection { .memory }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Ignored.
    /// - Returns: The item, or nil.
    /// - Throws: Nothing.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        items.withLock { $0[key] }
    }

    /// Writes an item.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    ///   - interaction: Ignored.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`).
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try StoreLimits.check(item)
        items.withLock { $0[key] = item }
    }

    /// Removes an item.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Ignored.
    /// - Throws: Nothing.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        items.withLock { _ = $0.removeValue(forKey: key) }
    }

    /// Writes an item only where the present one is the expected one.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - expected: What must be there; nil for nothing. Secret.
    ///   - item: What to keep. Secret.
    ///   - interaction: Ignored.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`).
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try StoreLimits.check(item)
        return items.withLock { items in
            guard items[key] == expected else { return false }
            items[key] = item
            return true
        }
    }

    /// Removes an item only where it is the expected one.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be. Secret.
    ///   - interaction: Ignored.
    /// - Returns: Whether the item is gone.
    /// - Throws: Nothing.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        items.withLock { items in
            guard let found = items[key] else { return true }
            guard found == expected else { return false }
            items[key] = nil
            return true
        }
    }

    /// The names of all items.
    ///
    /// - Parameter interaction: Ignored.
    /// - Returns: The names.
    /// - Throws: Nothing.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        items.withLock { Set($0.keys) }
    }

    /// Removes all items.
    ///
    /// - Parameter interaction: Ignored.
    /// - Throws: Nothing.
    public func removeAll(interaction: InteractionPolicy) async throws {
        items.withLock { $0 = [:] }
    }
}
