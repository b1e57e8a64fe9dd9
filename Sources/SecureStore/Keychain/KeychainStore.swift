// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
public import AuthCore
import Foundation
import Security

/// The condition under which the system returns a keychain item.
///
/// Every case keeps the item on this device: another device can't restore it from a backup, and it is not synchronized
/// to iCloud. Two devices with one session would use its refresh token twice, and the server would treat the second use
/// as a replay.
public enum KeychainAccessibility: Sendable, Hashable {
    /// The item is available from the first unlock after the device has started, even if the device is locked again.
    ///
    /// Apps that work in the background need this.
    case afterFirstUnlockThisDeviceOnly
    /// The item is available while the device is unlocked.
    ///
    /// A call while the device is locked, as in the background, throws `locked`.
    case whenUnlockedThisDeviceOnly
    /// The item is available while the device is unlocked, and only if the device has a passcode.
    ///
    /// Without a passcode nothing can be written. If the user removes the passcode, the system deletes the items and
    /// the user is signed out.
    case whenPasscodeSetThisDeviceOnly

    /// The value of `kSecAttrAccessible`.
    fileprivate var attribute: CFString {
        switch self {
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        }
    }
}

/// The data protection keychain of Apple systems, bound to this device.
///
/// An item is a generic password with the service's name, and `account/key` as its account. While the device withholds
/// an item, which depends on ``accessibility``, a call throws `locked`.
///
/// Processes that share a home folder, or the scope's ``SharedFolder``, make changes one at a time. Apps that share an
/// access group have separate home folders: without a shared folder, one may write between another's comparison and
/// change.
public final class KeychainStore: SecureStore {
    public let scope: StoreScope
    /// The condition under which the system returns the items that this store writes.
    ///
    /// An item that exists already gets it at its next write.
    public let accessibility: KeychainAccessibility
    private let accessGroup: String?
    private let deadline: Duration
    private let worker = BlockingWorker<Void>(label: "sallyport.keychain", ())

    /// The number of attempts at a write while another app adds or removes the same item.
    private static let attempts = 3

    /// Creates a store without accessing the keychain.
    ///
    /// - Parameters:
    ///   - accessGroup: The keychain group that several apps share, with its prefix, as in their entitlements. If nil,
    ///     the store writes to the app's first group and reads all of its groups. An app that shares items of this
    ///     scope must therefore name the group.
    ///   - deadline: The longest time that a call may take.
    public init(
        scope: StoreScope,
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly,
        deadline: Duration = .seconds(5)
    ) {
        (self.scope, self.accessGroup) = (scope, accessGroup)
        (self.accessibility, self.deadline) = (accessibility, deadline)
    }

    /// Creates a store of the app's own groups from plain names.
    ///
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public convenience init(service: String, account: String = "default") throws {
        self.init(scope: try StoreScope(service: service, account: account))
    }

    public var protection: StoreProtection { .keychain }

    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await worker.run(atMost: deadline) { _, _ in try KeychainCalls.read(self.query(key)) }
    }

    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try item.checkItemSize()
        try await change { try self.write(item, key) }
    }

    public func removeItem(forKey key: StoreKey) async throws {
        try await change { try KeychainCalls.remove(self.query(key)) }
    }

    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        try item?.checkItemSize()
        return try await change {
            let found = try KeychainCalls.read(self.query(key))
            guard found == expected || found == nil && item == nil else { return false }
            if let item { try self.write(item, key) } else { try KeychainCalls.remove(self.query(key)) }
            return true
        }
    }

    /// Runs work under the lock that processes share, unless the caller has left.
    private func change<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await worker.run(atMost: deadline) { [scope] _, mayWait in
            let path = try UserFolder.locks(of: scope).file(ScopeFileName.of("items", scope))
            let lock = try FileLock.blocking(at: path, "items lock", mayWait: mayWait)
            defer { withExtendedLifetime(lock) {} }
            // A caller that has left has nothing changed.
            _ = try mayWait()
            return try work()
        }
    }

    /// Adds the item, or updates the present one, so that the item is never absent in between.
    private func write(_ item: SecretBytes, _ key: StoreKey) throws(SecureStoreError) {
        let query = query(key)
        // An update sets the accessibility too: an item that an older version of the app wrote gets this version's.
        let values: [CFString: Any] = [
            kSecValueData: Data(item.unredacted), kSecAttrAccessible: accessibility.attribute,
        ]
        // Another app of the access group does not share the lock, and may remove or add the item in between.
        for _ in 0..<Self.attempts {
            let added = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
            guard added == errSecDuplicateItem else { return try KeychainCalls.check(added) }
            let updated = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            guard updated == errSecItemNotFound else { return try KeychainCalls.check(updated) }
        }
        throw SecureStoreError(.busy, detail: "the item keeps changing")
    }

    private func query(_ key: StoreKey) -> [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: scope.service,
            // A name contains no slash, so two pairs never give the same text.
            kSecAttrAccount: "\(scope.account)/\(key.name)",
            kSecAttrSynchronizable: false,
            // Needed on macOS: the older keychain there has no access groups, and it prompts.
            kSecUseDataProtectionKeychain: true,
        ]
        query[kSecAttrAccessGroup] = accessGroup
        return query
    }
}

/// The keychain's calls, which throw an error instead of returning a status.
enum KeychainCalls {
    /// Returns the item's data, or nil if the keychain reports that the item does not exist.
    static func read(_ query: [CFString: Any]) throws(SecureStoreError) -> SecretBytes? {
        let reading: [CFString: Any] = [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]
        var found: CFTypeRef?
        // Safe: the pointer refers to a variable that outlives the call. The call writes one object to it.
        let status = unsafe SecItemCopyMatching(query.merging(reading) { $1 } as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        try check(status)
        guard let data = found as? Data else { throw SecureStoreError(.damaged, detail: "no data") }
        return SecretBytes(data)
    }

    /// Removes all items that match a query; it is not an error if no item matches.
    static func remove(_ query: [CFString: Any]) throws(SecureStoreError) {
        let status = SecItemDelete(query as CFDictionary)
        if status != errSecItemNotFound { try check(status) }
    }

    static func check(_ status: OSStatus) throws(SecureStoreError) {
        guard status == errSecSuccess else { throw SecureStoreError(keychain: status) }
    }
}

extension SecureStoreError {
    /// The status `errSecInDarkWake`, which not every SDK defines: the Mac woke without its screen.
    private static let inDarkWake: OSStatus = -25_320

    /// Creates the error for a keychain status.
    ///
    /// An unknown status never means that an item is absent.
    init(keychain status: OSStatus) {
        let code: Code =
            switch status {
            case errSecInteractionNotAllowed, Self.inDarkWake: .locked
            case errSecMissingEntitlement, errSecAuthFailed: .denied
            case errSecNotAvailable: .noProvider
            case errSecUserCanceled: .promptDismissed
            case errSecDiskFull: .full
            case errSecDecode: .damaged
            default: .failed
            }
        let remedy = "; its developer must sign it with the entitlement keychain-access-groups"
        self.init(code, detail: "OSStatus \(status)\(status == errSecMissingEntitlement ? remedy : "")")
    }
}
#endif
