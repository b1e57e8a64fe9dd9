// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error of a secure store.
///
/// Contains no item and no key. Unless ``isOutcomeUnknown`` is true, a failed write changed nothing. After a failed
/// removal, the item may still be there.
public struct SecureStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason for the error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, CaseIterable {
            case locked
            case noSessionBus
            case noProvider
            case noCollection
            case timedOut
            case denied
            case promptDismissed
            case sandboxed
            case busy
            case full
            case damaged
            case newerFormat
            case wrongPassphrase
            case itemTooLarge
            case invalidName
            case invalidPassphrase
            case failed
        }

        private let value: Value

        /// The keyring is locked, or the device is locked and withholds a keychain item.
        ///
        /// Also if the secret portal refuses a ``PortalKey``, or does not answer in time.
        public static let locked = Code(value: .locked)
        /// The session bus does not exist or can't be reached, or its address in the environment is not a local socket.
        ///
        /// ``KeyringStore`` connects to a bus at another address only if the app names it.
        public static let noSessionBus = Code(value: .noSessionBus)
        /// The session bus has no keyring service or no secret portal, or the keychain is not available.
        public static let noProvider = Code(value: .noProvider)
        /// The keyring service has no default collection yet.
        public static let noCollection = Code(value: .noCollection)
        /// The store did not respond in time, or could not confirm that a change is on the disk.
        public static let timedOut = Code(value: .timedOut)
        /// The keyring, the keychain or the file system refused this process, or a file or folder is unsafe to use.
        ///
        /// On Apple systems also if the app is not signed, or lacks the entitlement for the keychain, its access group
        /// or the App Group; ``SecureStoreError/detail`` then usually names the entitlement.
        public static let denied = Code(value: .denied)
        /// The user, or a machine without a screen, dismissed the prompt of ``SecureStore/unlock(timeout:)``.
        public static let promptDismissed = Code(value: .promptDismissed)
        /// The program runs in a sandbox (Flatpak, Snap) without access to a keyring.
        ///
        /// Use an ``EncryptedFileStore`` under a ``PortalKey`` there: it needs no permission.
        public static let sandboxed = Code(value: .sandboxed)
        /// Another process held the lock for too long, or kept changing the same data.
        public static let busy = Code(value: .busy)
        /// The disk, or the store itself, has no room left.
        public static let full = Code(value: .full)
        /// The stored data was altered, is incomplete, or differs from the data that was written.
        public static let damaged = Code(value: .damaged)
        /// A newer version of this library wrote the file.
        public static let newerFormat = Code(value: .newerFormat)
        /// The passphrase or key does not open the file.
        public static let wrongPassphrase = Code(value: .wrongPassphrase)
        /// The item is larger than 256 KiB.
        public static let itemTooLarge = Code(value: .itemTooLarge)
        /// The name is empty or too long, or contains a character that is not allowed.
        public static let invalidName = Code(value: .invalidName)
        /// The passphrase is empty or too long, the key is too short, too long or text, or its source does not exist.
        public static let invalidPassphrase = Code(value: .invalidPassphrase)
        /// The keyring, the keychain or the file system reported another error.
        ///
        /// ``SecureStoreError/detail`` names it.
        public static let failed = Code(value: .failed)

        /// All codes.
        package static var allCases: [Code] { Value.allCases.map(Code.init) }

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// The reason for the error.
    public let code: Code
    /// A short name of the fault for display, such as `org.freedesktop.DBus.Error.Failed`; never a service's error
    /// message, an item or a key.
    public let detail: String?

    /// Creates an error, for stores and their test doubles.
    public init(_ code: Code, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// Converts an error of a store, which may be of any type if an app implements the store.
    package init(cause: any Error) {
        self = (cause as? SecureStoreError) ?? SecureStoreError(.failed)
    }

    /// Whether the store can't be used now; false if the request itself is invalid.
    public var isUnavailable: Bool {
        ![.itemTooLarge, .invalidName, .invalidPassphrase].contains(code)
    }

    /// Whether a change that failed with this error may have taken effect, because the store did not confirm it.
    public var isOutcomeUnknown: Bool { [.timedOut, .noProvider, .noSessionBus].contains(code) }

    /// Compares the codes only.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A sentence or two that describe the error and contain no secret.
    public var description: String {
        switch code {
        case .locked: "The keyring is locked."
        case .noSessionBus: "There is no session bus for a keyring."
        case .noProvider: "No keyring service runs on this session bus."
        case .noCollection: "The keyring service has no default keyring."
        case .timedOut: "The store did not respond in time."
        case .denied: "The store refused this program\(reason)."
        case .promptDismissed: "The prompt to unlock the keyring was dismissed."
        case .sandboxed:
            "This program's sandbox allows no access to a keyring. The secret portal is open to it (PortalKey)."
        case .busy: "Another process is using the store."
        case .full: "The store or its disk is full."
        case .damaged: "The stored data was altered or damaged\(reason)."
        case .newerFormat: "The store's file was written by a newer version of this program."
        case .wrongPassphrase: "The \(detail ?? "passphrase") does not open the store's file."
        case .itemTooLarge: "The item is larger than 256 KiB."
        case .invalidName: "A store's name must be 1 to 128 letters, digits, dots, hyphens and underscores."
        case .invalidPassphrase:
            "A passphrase of 1 to 4096 bytes, or a key of 32 to 4096 random bytes, is required\(reason)."
        default: "The store failed\(reason)."
        }
    }

    private var reason: String { detail.map { " (\($0))" } ?? "" }
}

extension SecureStoreError: LocalizedError {
    public var errorDescription: String? { description }
}
