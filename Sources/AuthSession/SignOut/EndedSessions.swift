import AuthCore
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sessions that ended here and whose tokens the provider could not be asked to take back yet.
///
/// Kept in the store, so that a sign-out in a tunnel is told of when the machine is out of it.
struct EndedSessions: StoredForm {
    let version: Int
    var grants: [EndedGrant]

    /// The item's name in the store.
    static let key = StoreKey(trusted: "session.ended")
    /// What cannot be told for so many sign-outs is not kept for ever: refresh tokens end by themselves.
    static let maximumCount = 8

    init() {
        version = 1
        grants = []
    }

    /// Reads what is kept; empty where it is damaged, which nobody could tell of either.
    ///
    /// - Throws: ``SessionRecordError`` (`unknownVersion`): a newer version of this package wrote it, and tells of it.
    init(_ item: SecretBytes?) throws(SessionRecordError) {
        self.init()
        guard let item else { return }
        let data = Data(item.unredacted)
        guard let header = try? JSONDecoder().decode(StoredHeader.self, from: data) else { return }
        guard header.version == version else { throw SessionRecordError(.unknownVersion) }
        if let known = try? JSONDecoder().decode(Self.self, from: data) { self = known }
    }

    func encoded() throws -> SecretBytes { SecretBytes(try JSONEncoder().encode(self)) }

    /// Adds one.
    ///
    /// - Returns: Whether the oldest was given up for it.
    mutating func add(_ grant: EndedGrant) -> Bool {
        grants.append(grant)
        let tooMany = grants.count - Self.maximumCount
        guard tooMany > 0 else { return false }
        grants.removeFirst(tooMany)
        return true
    }
}
