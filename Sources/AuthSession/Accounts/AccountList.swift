import AuthCore
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored list of accounts: which there are, and which one is in use.
struct AccountList: StoredForm {
    struct Entry: StoredForm {
        let id: String
        var user: User?
        /// True where the person has signed out and the provider is still to be told; absent in older lists.
        var hasLeft: Bool?
    }

    private(set) var version = 1
    var entries: [Entry] = []
    var current: String?

    /// The item's name in the store.
    static let key = StoreKey(trusted: "accounts")
    /// More people than share a device.
    static let maximumCount = 64

    init() {}

    /// Reads the list; empty where there is none.
    ///
    /// - Throws: ``SessionRecordError``: a list that can't be read is not overwritten.
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

    func encoded() throws -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return SecretBytes(try encoder.encode(self))
    }

    /// Who is signed in.
    var accounts: [Account] { present.map { Account(id: $0.id, user: $0.user) } }

    /// The accounts whose sign-outs are still to be told.
    var left: [String] { entries.filter { $0.hasLeft == true }.map(\.id) }

    /// Takes an account out of use: off the list, or aside as long as its provider is to be told.
    mutating func leave(_ id: String, isTold: Bool) {
        entries.removeAll { $0.id == id }
        // Nothing of who it was stays.
        if !isTold { entries.append(Entry(id: id, hasLeft: true)) }
        if current == id { current = present.first?.id }
    }

    private var present: [Entry] { entries.filter { $0.hasLeft != true } }
}
