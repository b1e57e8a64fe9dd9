// SPDX-License-Identifier: Apache-2.0

internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The sequence of refresh tokens that follows from one sign-in on one device.
struct RefreshFamily: Sendable {
    let id: String
    let accountID: String
    /// The position of the current token.
    var counter: Int
    /// The time of issue of the current token.
    var rotated: Date
    /// The expiry of the current token.
    var expires: Date
    /// The end of the session, by a sign-out or a reused token.
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
