/// How strongly a store protects what it keeps.
public struct StoreProtection: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String {
        case keyring
        case keyringInClear = "keyring in clear"
        case keychain
        case encryptedFile = "encrypted file"
        case memory
    }

    private let value: Value

    /// The system's keyring: encrypted on disk with a key made from the person's login password.
    public static let keyring = StoreProtection(value: .keyring)
    /// The system's keyring, whose file is not encrypted, as it has no password.
    ///
    /// Who reads the person's files, or the disk, reads what it keeps.
    public static let keyringInClear = StoreProtection(value: .keyringInClear)
    /// The keychain of an Apple system, bound to this device.
    public static let keychain = StoreProtection(value: .keychain)
    /// A file encrypted with a key made from a passphrase.
    public static let encryptedFile = StoreProtection(value: .encryptedFile)
    /// This process's memory: gone when the process ends.
    public static let memory = StoreProtection(value: .memory)

    /// The name, `keyring` for one.
    public var description: String { value.rawValue }
}
