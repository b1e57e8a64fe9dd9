// SPDX-License-Identifier: Apache-2.0

/// The strength with which a store protects its items.
public struct StoreProtection: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String {
        case keyring
        case keychain
        case encryptedFile = "encrypted file"
        case memory
    }

    private let value: Value

    /// The system's keyring, encrypted on disk with a key derived from the user's login password.
    ///
    /// A keyring without a password is not encrypted: everyone who can read the user's files can read the items.
    public static let keyring = StoreProtection(value: .keyring)
    /// The keychain of an Apple system, bound to this device.
    public static let keychain = StoreProtection(value: .keychain)
    /// A file encrypted under a key, or one derived from a passphrase.
    public static let encryptedFile = StoreProtection(value: .encryptedFile)
    /// This process's memory, which ends with the process.
    public static let memory = StoreProtection(value: .memory)

    /// The name, for example `keyring`.
    public var description: String { value.rawValue }
}
