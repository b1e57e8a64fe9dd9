internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One sign-in on one device: the line of refresh tokens that follows from it.
struct RefreshFamily: Sendable {
    let id: String
    let accountID: String
    /// Which token of the line is the good one.
    var counter: Int
    /// When that token was issued.
    var rotated: Date
    /// From when on it is refused.
    var expires: Date
    /// When the session ended, by a sign-out or a reused token.
    let ended: Date?

    init(id: String, accountID: String, rotated: Date, expires: Date) {
        self.id = id
        self.accountID = accountID
        counter = 0
        self.rotated = rotated
        self.expires = expires
        ended = nil
    }

    init(row: Row) {
        func date(_ column: String) -> Date? {
            (row[column] as Double?).map(Date.init(timeIntervalSince1970:))
        }
        id = row["id"]
        accountID = row["account_id"]
        counter = row["counter"]
        rotated = date("rotated_at") ?? .distantPast
        expires = date("expires_at") ?? .distantPast
        ended = date("ended_at")
    }
}
