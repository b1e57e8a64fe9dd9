// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

/// The service and account whose items a store contains.
///
/// Together with the user of the system, it is the scope of a credential, and so that of a ``SessionLock``. The names
/// are 1 to 128 letters, digits, `.`, `-` and `_`. They must contain nothing that identifies the user, such as an e-mail
/// address: keyrings store them in plaintext.
public struct StoreScope: Sendable, Hashable {
    /// The name of the app, for example its reverse domain name, `com.example.app`.
    public let service: String
    /// The name of one of the app's sessions: `default`, or a profile's name.
    public let account: String
    /// The folder of the locks and notes that programs share; nil for the user's own folders.
    public let sharedFolder: SharedFolder?

    /// Creates a scope.
    ///
    /// - Parameter sharedFolder: The same in all programs that share the credential.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public init(
        service: String,
        account: String = "default",
        sharedFolder: SharedFolder? = nil
    ) throws(SecureStoreError) {
        // One rule holds for all names.
        (self.service, self.account) = (try StoreKey(service).name, try StoreKey(account).name)
        self.sharedFolder = sharedFolder
    }

    /// Creates a scope that no other store has.
    package init() {
        (service, account, sharedFolder) = ("memory-\(RandomName.make())\(RandomName.make())", "default", nil)
    }

    /// Returns the account's name for a text, such as an API's URL, that is no valid name itself.
    ///
    /// The same text has the same name in every process, and two texts that differ in a byte have two names. The name
    /// does not show the text.
    public static func account(derivedFrom text: String) -> String {
        Hexadecimal.encode(Array(SHA256.hash(data: Array(text.utf8))))
    }
}

/// The name of an item in a store, which follows the rules of a ``StoreScope``'s names.
public struct StoreKey: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Creates a name if it is valid.
    ///
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public init(_ name: String) throws(SecureStoreError) {
        let isAllowed = name.utf8.allSatisfy { TokenCharacters.isUnreserved($0) && $0 != UInt8(ascii: "~") }
        guard isAllowed, (1...128).contains(name.utf8.count) else { throw SecureStoreError(.invalidName) }
        self.name = name
    }

    package init(trusted name: StaticString) {
        self.name = name.description
    }

    /// The name.
    public var description: String { name }
}

/// A folder that programs with separate home folders share, for the locks and notes of one credential.
///
/// An app and its extension on iOS have separate home folders, so that neither finds the other's locks. With the folder
/// of their App Group in the ``StoreScope`` of both, they take turns: one of them refreshes, the other one waits. The
/// stores and the session take it from the scope:
///
/// | what | where |
/// | --- | --- |
/// | the ``SessionLock``, the locks of `KeychainStore` and ``MigratingStore`` | `sallyport/locks` |
/// | the note of ``PendingRemovals``, and its lock | `sallyport/stores` |
/// | the file of ``EncryptedFileStore``, if the app names no folder for it | `sallyport` |
///
/// The folder must exist, belong to the user, and be closed to the writes of others. Otherwise every call throws
/// `denied`: a lock in another folder would be another lock. All programs that share the credential must give the same
/// folder from the same release on, because notes in another folder are not read.
///
/// On iOS, the system ends an app that is suspended while it holds a lock in such a folder (`0xdead10cc`). Give the
/// session a `BackgroundAssertion` too.
public struct SharedFolder: Sendable, Hashable {
    /// The absolute path.
    public let path: String

    /// Describes a folder without looking for it.
    ///
    /// - Throws: ``SecureStoreError`` (`denied` if the path is relative).
    public init(_ path: String) throws(SecureStoreError) {
        guard path.hasPrefix("/") else { throw SecureStoreError(.denied, detail: "a relative folder") }
        self.path = path
    }
}

/// Unique random names of letters and digits, for drafts, notes and tests; not secret.
package enum RandomName {
    /// Creates a name.
    package static func make() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Returns whether a text has the form of such a name.
    static func isOne(_ text: some StringProtocol) -> Bool {
        UInt64(text, radix: 36) != nil && !text.hasPrefix("+")
    }
}
