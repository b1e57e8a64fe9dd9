// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The sessions that ended here and whose tokens could not be revoked yet.
///
/// They are kept in the store, so that a sign-out without a network is completed once the network is back.
struct PendingRevocations: StoredItemForm {
    let version: Int
    var grants: [EndedGrant]

    /// The item's name in the store.
    static let key = StoreKey(trusted: "session.ended")
    /// The maximum number of grants.
    ///
    /// Older ones are dropped, since refresh tokens expire by themselves.
    static let maximumCount = 8

    init() {
        version = 1
        grants = []
    }

    /// Reads the stored grants; empty if the item is damaged, because its tokens can't be revoked.
    ///
    /// - Throws: ``SessionRecordError`` (`unknownVersion`): a newer version of this package wrote the item, and revokes
    ///   the tokens.
    init(_ item: SecretBytes?) throws(SessionRecordError) {
        self.init()
        guard let item else { return }
        do {
            self = try Self(stored: item)
        } catch {
            guard error.code == .damaged else { throw error }
        }
    }

    /// Adds a grant.
    ///
    /// - Returns: Whether the oldest grant was dropped for it.
    mutating func add(_ grant: EndedGrant) -> Bool {
        grants.append(grant)
        let tooMany = grants.count - Self.maximumCount
        guard tooMany > 0 else { return false }
        grants.removeFirst(tooMany)
        return true
    }
}
