import AuthCore
import OpenIDConnect
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
    /// Each a session's record, base64.
    var records: [Data]

    /// The item's name in the store.
    static let key = StoreKey(trusted: "session.ended")
    /// What cannot be told for so many sign-outs is not kept for ever: refresh tokens end by themselves.
    static let maximumCount = 8

    init() {
        version = 1
        records = []
    }

    /// Reads what is kept; empty where it can't be read, which nobody could tell of either.
    init(_ item: SecretBytes?) {
        let known = item.flatMap { try? JSONDecoder().decode(Self.self, from: Data($0.unredacted)) }
        self = known.flatMap { $0.version == 1 ? $0 : nil } ?? EndedSessions()
    }

    func encoded() throws -> SecretBytes { SecretBytes(try JSONEncoder().encode(self)) }

    mutating func add(_ record: SessionRecord) throws {
        records.append(Data(try record.encoded().unredacted))
        records.removeFirst(max(0, records.count - Self.maximumCount))
    }
}
