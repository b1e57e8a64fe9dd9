// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The content of a stand-in keychain, and the documented behaviour of each call.
struct StandInState {
    var items: [StandInKeychain.Item] = []
    var calls: [StandInKeychain.Call] = []
    var device = StandInKeychain.Device.unlocked
    var groups = ["app"]
    var hasPasscode = true
    var statuses: [StandInKeychain.Call: OSStatus] = [:]

    /// The keys that describe an item; the other keys of a dictionary describe a search.
    private static let attributes: Set<CFString> = [
        kSecClass, kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup, kSecAttrSynchronizable, kSecAttrAccessible,
        kSecUseDataProtectionKeychain, kSecValueData,
    ]
    private static let accessibilities: Set<CFString> = [
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    ]

    mutating func add(_ attributes: CFDictionary) -> OSStatus {
        if let status = statuses[.add] ?? fault(of: attributes, beside: []) { return status }
        guard
            let service = attributes[kSecAttrService] as? String,
            let account = attributes[kSecAttrAccount] as? String,
            let data = attributes[kSecValueData] as? Data,
            let accessible = Self.protection(in: attributes)
        else { return errSecParam }
        let isSynchronizable = attributes[kSecAttrSynchronizable] as? Bool ?? false
        // "If you don't specify an access group, the first one of the app's is used."
        let group = attributes[kSecAttrAccessGroup] as? String ?? groups[0]
        // The primary key of an item: neither accessibility nor data is part of it.
        let isThere = items.contains {
            ($0.service, $0.account, $0.group, $0.isSynchronizable) == (service, account, group, isSynchronizable)
        }
        if isThere { return errSecDuplicateItem }
        guard hasPasscode || accessible != kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly else {
            return errSecNotAvailable
        }
        guard isReachable(accessible) else { return errSecInteractionNotAllowed }
        items.append(
            StandInKeychain.Item(
                service: service,
                account: account,
                group: group,
                isSynchronizable: isSynchronizable,
                accessible: accessible,
                data: data
            )
        )
        return errSecSuccess
    }

    mutating func copy(_ query: CFDictionary) -> (status: OSStatus, found: CFTypeRef?) {
        let search: Set<CFString> = [kSecReturnData, kSecReturnAttributes, kSecMatchLimit]
        if let status = statuses[.copy] ?? fault(of: query, beside: search) { return (status, nil) }
        let wantsAll = query[kSecMatchLimit] as? String == kSecMatchLimitAll
        let wantsData = query[kSecReturnData] as? Bool == true
        // "You can't combine kSecReturnData and kSecMatchLimitAll when copying password items."
        if wantsAll && wantsData { return (errSecParam, nil) }
        let found = items.indices.filter { matches(items[$0], query) }
        guard let first = found.first else { return (errSecItemNotFound, nil) }
        guard found.allSatisfy({ isReachable(items[$0].accessible) }) else {
            return (errSecInteractionNotAllowed, nil)
        }
        if wantsData && query[kSecReturnAttributes] as? Bool != true { return (errSecSuccess, items[first].data) }
        var attributes: [[String: Any]] = found.map {
            [
                kSecAttrService: items[$0].service, kSecAttrAccount: items[$0].account,
                kSecAttrAccessGroup: items[$0].group,
            ]
        }
        // One dictionary holds both, the data among the attributes.
        if wantsData { attributes[0][kSecValueData] = items[first].data }
        return (errSecSuccess, wantsAll ? attributes : attributes[0])
    }

    mutating func update(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus {
        if let status = statuses[.update] ?? fault(of: query, beside: []) { return status }
        // Only data and protection can be updated: no class, and no search keys.
        let updated: Set<CFString> = [kSecValueData, kSecAttrAccessible]
        guard Set(attributes.keys).isSubset(of: updated) else { return errSecParam }
        let found = items.indices.filter { matches(items[$0], query) }
        guard !found.isEmpty else { return errSecItemNotFound }
        for index in found {
            guard isReachable(items[index].accessible) else { return errSecInteractionNotAllowed }
            if let data = attributes[kSecValueData] as? Data { items[index].data = data }
            if attributes[kSecAttrAccessible] != nil {
                guard let accessible = Self.protection(in: attributes) else { return errSecParam }
                items[index].accessible = accessible
            }
        }
        return errSecSuccess
    }

    mutating func delete(_ query: CFDictionary) -> OSStatus {
        // A limit does not apply to a removal: all matching items go.
        if let status = statuses[.delete] ?? fault(of: query, beside: []) { return status }
        let found = items.filter { matches($0, query) }
        guard !found.isEmpty else { return errSecItemNotFound }
        guard found.allSatisfy({ isReachable($0.accessible) }) else { return errSecInteractionNotAllowed }
        items = items.filter { !matches($0, query) }
        return errSecSuccess
    }

    /// Returns the accessibility that the attributes of an item name; nil if they name none.
    private static func protection(in attributes: CFDictionary) -> String? {
        (attributes[kSecAttrAccessible] as? String).flatMap { accessibilities.contains($0) ? $0 : nil }
    }

    /// Returns an error if a dictionary can't describe a generic password in this program's data protection keychain.
    private func fault(of dictionary: CFDictionary, beside search: Set<CFString>) -> OSStatus? {
        guard
            Set(dictionary.keys).subtracting(search).isSubset(of: Self.attributes),
            dictionary[kSecClass] as? String == kSecClassGenericPassword,
            dictionary[kSecUseDataProtectionKeychain] as? Bool == true
        else { return errSecParam }
        if let accessible = dictionary[kSecAttrAccessible] as? String, !Self.accessibilities.contains(accessible) {
            return errSecParam
        }
        if let group = dictionary[kSecAttrAccessGroup] as? String, !groups.contains(group) {
            return errSecMissingEntitlement
        }
        return nil
    }

    private func matches(_ item: StandInKeychain.Item, _ query: CFDictionary) -> Bool {
        // "If you don't specify an access group, all groups of the app are searched." A synchronised item is found only
        // by a query for synchronised items, or for any.
        groups.contains(item.group)
            && (query[kSecAttrSynchronizable] as? String == kSecAttrSynchronizableAny
                || item.isSynchronizable == (query[kSecAttrSynchronizable] as? Bool ?? false))
            && (query[kSecAttrService] as? String).map { $0 == item.service } ?? true
            && (query[kSecAttrAccount] as? String).map { $0 == item.account } ?? true
            && (query[kSecAttrAccessGroup] as? String).map { $0 == item.group } ?? true
            && (query[kSecAttrAccessible] as? String).map { $0 == item.accessible } ?? true
    }

    private func isReachable(_ accessible: String) -> Bool {
        switch device {
        case .unlocked: true
        case .locked: accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .neverUnlocked: false
        }
    }
}
