// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A refresh request of contract B with the backend's decision.
public struct RefreshCall: Sendable, Equatable {
    /// The backend's decision about the refresh token in the request.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The token was current, and a new one has replaced it.
        case rotated
        /// The token was the previous one, within the grace window: the response was sent again.
        case repeated
        /// The token was an older one, which two parties hold, and its family has been ended.
        case reused
        /// The token's family had ended before.
        case ended
        /// The token had expired.
        case expired
        /// There is no such family.
        case unknown
    }

    /// The decision.
    public let outcome: Outcome
    /// The session's account, or nil if there is no such family.
    public let accountID: String?
    /// The token's position in its family, from 0.
    public let place: Int
    /// The family's position before this call, or nil if there is no such family.
    public let current: Int?
    /// The time of the decision.
    public let date: Date
    /// The seconds from the family's last rotation to the decision, or nil if there is no such family.
    public let sinceRotation: Double?

    init(_ outcome: Outcome, of token: RefreshToken, in family: RefreshFamily?, at date: Date) {
        self.outcome = outcome
        accountID = family?.accountID
        place = token.counter
        current = family?.counter
        self.date = date
        sinceRotation = family.map { date.timeIntervalSince($0.rotated) }
    }
}
