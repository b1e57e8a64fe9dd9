/// How strongly a store protects what it keeps.
public struct StoreProtection: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String {
        case keyring
        case memory
    }

    private let value: Value

    /// The system's keyring: encrypted on disk with a key made from the person's login password.
    public static let keyring = StoreProtection(value: .keyring)
    /// This process's memory: gone when the process ends.
    public static let memory = StoreProtection(value: .memory)

    /// The name, `keyring` for one.
    public var description: String { value.rawValue }
}
