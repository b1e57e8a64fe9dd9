// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import AuthCore
import Foundation
import Security

/// The worker that makes one store's keychain calls, one at a time, off the cooperative threads.
actor KeychainWorker {
    /// The number of attempts at a write while another app adds or removes the same item.
    private static let attempts = 3

    private let executor = BlockingExecutor(label: "sallyport.keychain")
    private let scope: StoreScope
    private let accessGroup: String?
    private let accessibility: KeychainAccessibility
    private let accessControl: KeychainAccessControl?
    /// The prompt for the user's presence; nil if the items don't require it.
    private let prompt: KeychainPrompt?

    init(
        scope: StoreScope,
        accessGroup: String?,
        accessibility: KeychainAccessibility,
        accessControl: KeychainAccessControl?
    ) {
        self.scope = scope
        self.accessGroup = accessGroup
        self.accessibility = accessibility
        self.accessControl = accessControl
        prompt = accessControl.map { KeychainPrompt(reason: $0.reason) }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func perform<Value: Sendable>(
        _ promise: Promise<Value>,
        _ work: @Sendable (isolated KeychainWorker) throws -> Value
    ) {
        promise.finish { try work(self) }
    }

    /// Runs work under the lock that processes share; throws `timedOut` if the caller has left.
    func locked<Value>(
        unless isAbandoned: () -> Bool,
        _ work: (isolated KeychainWorker) throws -> Value
    ) throws -> Value {
        func checkNotAbandoned() throws {
            if isAbandoned() { throw SecureStoreError(.timedOut) }
        }
        let path = try UserFolder.locks(of: scope).file(ScopeFileName.of("items", scope))
        let lock = try FileLock.blocking(at: path, "items lock") {
            try checkNotAbandoned()
            return true
        }
        defer { withExtendedLifetime(lock) {} }
        try checkNotAbandoned()
        return try work(self)
    }

    /// Reads an item.
    ///
    /// Never prompts under a lock: other processes would wait for this user.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - mayPrompt: Whether the system may ask the user.
    /// - Returns: The item, secret; nil if the keychain reports that it does not exist.
    /// - Throws: ``SecureStoreError``.
    func read(_ key: StoreKey, mayPrompt: Bool = false) throws -> SecretBytes? {
        do {
            return try KeychainCalls.read(authenticated(query(key), mayPrompt: mayPrompt))
        } catch {
            if mayPrompt { prompt?.startOver() }
            throw error
        }
    }

    /// Adds the item, or updates the present one, so that the item is never absent in between.
    func write(_ item: SecretBytes, _ key: StoreKey) throws {
        let query = query(key)
        var values: [CFString: Any] = [kSecValueData: Data(item.unredacted)]
        // An update sets it too: an item that an older version of the app wrote gets this version's protection.
        if let accessControl {
            values[kSecAttrAccessControl] = try accessControl.attribute(with: accessibility)
        } else {
            values[kSecAttrAccessible] = accessibility.attribute
        }
        // Another app of the access group does not share the lock, and may remove or add the item in between.
        for _ in 0..<Self.attempts {
            let added = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
            guard added == errSecDuplicateItem else { return try KeychainCalls.check(added) }
            let updated = SecItemUpdate(authenticated(query) as CFDictionary, values as CFDictionary)
            guard updated == errSecItemNotFound else { return try KeychainCalls.check(updated) }
        }
        throw SecureStoreError(.busy, detail: "the item keeps changing")
    }

    func remove(_ key: StoreKey) throws {
        try KeychainCalls.remove(query(key))
    }

    func keys() throws -> Set<StoreKey> {
        var query = query(nil)
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitAll
        guard let response = try KeychainCalls.copy(query) else { return [] }
        guard let found = response as? [[String: Any]] else { throw SecureStoreError(.damaged, detail: "no list") }
        let prefix = "\(scope.account.name)/"
        let names = found.compactMap { $0[kSecAttrAccount as String] as? String }.filter { $0.hasPrefix(prefix) }
        return Set(names.compactMap { try? StoreKey(String($0.dropFirst(prefix.count))) })
    }

    /// Returns a query with the authentication that the items require.
    private func authenticated(_ query: [CFString: Any], mayPrompt: Bool = false) -> [CFString: Any] {
        query.merging(prompt?.attributes(isAllowed: mayPrompt) ?? [:]) { $1 }
    }

    private func query(_ key: StoreKey?) -> [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: scope.service.name,
            kSecAttrSynchronizable: false,
            // Needed on macOS: the older keychain there has no access groups, and it prompts.
            kSecUseDataProtectionKeychain: true,
        ]
        // A name contains no slash, so two pairs never give the same text.
        query[kSecAttrAccount] = key.map { "\(scope.account.name)/\($0.name)" }
        query[kSecAttrAccessGroup] = accessGroup
        return query
    }
}
#endif
