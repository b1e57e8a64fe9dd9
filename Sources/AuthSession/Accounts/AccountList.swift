// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored list of accounts, and the account in use.
struct AccountList: StoredForm {
    struct Entry: StoredForm {
        let id: String
        var user: SessionUser?
        /// True if the user has signed out and the tokens are still to be revoked.
        var hasLeft = false
    }

    private(set) var version = 1
    var entries: [Entry] = []
    var current: String?

    /// The item's name in the store.
    static let key = StoreKey(trusted: "accounts")
    /// The maximum number of accounts: more users than share a device.
    static let maximumCount = 64

    init() {}

    /// Reads the list; empty if there is no item.
    ///
    /// - Throws: ``SessionRecordError`` if the list can't be read. It is then not overwritten.
    init(_ item: SecretBytes?) throws(SessionRecordError) {
        guard let item else { return }
        let data = Data(item.unredacted)
        guard let header = try? JSONDecoder().decode(StoredHeader.self, from: data) else {
            throw SessionRecordError(.damaged)
        }
        guard header.version == 1 else { throw SessionRecordError(.unknownVersion) }
        guard let list = try? JSONDecoder().decode(Self.self, from: data) else { throw SessionRecordError(.damaged) }
        self = list
    }

    /// The accounts of signed-in users.
    var accounts: [SessionAccount] { present.map { SessionAccount(id: $0.id, user: $0.user) } }

    /// The accounts whose tokens are still to be revoked.
    var left: [String] { entries.filter { $0.hasLeft }.map(\.id) }

    /// Takes an account out of use: removes it, or keeps it aside until its tokens are revoked.
    mutating func leave(_ id: String, isRevoked: Bool) {
        entries.removeAll { $0.id == id }
        // No user data stays.
        if !isRevoked { entries.append(Entry(id: id, hasLeft: true)) }
        if current == id { current = present.first?.id }
    }

    private var present: [Entry] { entries.filter { !$0.hasLeft } }
}
