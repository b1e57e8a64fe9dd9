#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One refresh that was asked for in contract B, and what the backend made of it.
public struct RefreshCall: Sendable, Equatable {
    /// What became of the refresh token that was shown.
    public enum Outcome: String, Sendable, CaseIterable {
        /// It was the good one, and a new one has taken its place.
        case rotated
        /// It was the one before, within the grace window: the answer went out once more.
        case repeated
        /// It was an older one: it is in two hands, and its family has been ended.
        case reused
        /// Its family had ended before.
        case ended
        /// It was too old.
        case expired
        /// There is no such family.
        case unknown
    }

    /// What became of the token.
    public let outcome: Outcome
    /// Whose session it is; nil where there is no such family.
    public let accountID: String?
    /// The token's place in the line of its family, from 0.
    public let place: Int
    /// How far the line had come before this call; nil where there is no such family.
    public let current: Int?
    /// When the backend decided.
    public let date: Date
    /// How long before that the line had come so far, in seconds; nil where there is no such family.
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
