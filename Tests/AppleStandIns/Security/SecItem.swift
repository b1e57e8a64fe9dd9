// SPDX-License-Identifier: Apache-2.0

/// Adds an item; `errSecDuplicateItem` if one with the same service, account, group and synchronisation exists.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    StandInKeychain.current.call(.add) { $0.add(attributes) }
}

/// Finds items; `errSecItemNotFound` if no item matches.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    StandInKeychain.current.call(.copy) { state in
        let (status, found) = state.copy(query)
        if let result = unsafe result, status == errSecSuccess { unsafe result.pointee = found }
        return status
    }
}

/// Changes all items that match; `errSecItemNotFound` if no item matches.
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    StandInKeychain.current.call(.update) { $0.update(query, attributesToUpdate) }
}

/// Removes all items that match; `errSecItemNotFound` if no item matches.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    StandInKeychain.current.call(.delete) { $0.delete(query) }
}
