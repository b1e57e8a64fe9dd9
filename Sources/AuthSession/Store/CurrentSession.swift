// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

/// The current session in memory, and the store's last known item.
struct CurrentSession: Sendable {
    var record: SessionRecord
    var deadline: TokenDeadline
    /// Whether the deadline was derived from a stored wall-clock time, which may be wrong.
    var isDeadlineRead = false
    /// Whether the access token was over when this process's refresh, or one that it delegated, requested it.
    ///
    /// A token that ended later, because the machine slept, doesn't count: another one will be good.
    var hasComeExpired = false
    /// The item that this process last read from the store or wrote to it; nil if it did neither.
    var stored: StoredItem?
    let isRemembered: Bool
    /// The session that this sign-in replaces, while the store may still hold it.
    var replaced = Replaced.nothing
    var isStoreEmptied = false
    /// The error of the last write, which is retried; nil if it succeeded.
    var persistenceError: SecureStoreError?
    /// The time of ``SessionRecord/refreshBegunAt`` by the monotonic clock.
    var begunAt: Duration?
    /// The time of ``SessionRecord/repeatedAt`` by the monotonic clock.
    var repeatedAt: Duration?
    /// Whether an earlier refresh of these tokens was begun and its response never arrived.
    var isReplay = false

    /// Returns whether a sign-out of this session includes a record in the store.
    ///
    /// True for the same sign-in. If this session was never stored, also true for the record that it was to replace.
    func covers(_ record: SessionRecord) -> Bool {
        if record.isOfSameSignIn(as: self.record) { return true }
        guard stored == nil else { return false }
        return switch replaced {
        case .unknown: true
        case .nothing: false
        case .record(let replaced): record.isOfSameSignIn(as: replaced)
        }
    }

    /// 6. Merge: returns this session with new tokens; values that the response omits stay.
    ///
    /// - Parameters:
    ///   - latest: The session as it is now; nil if a user signed out or in since the refresh began.
    ///   - repeatedAt: The time of the response, if the request was a repetition.
    func refreshed(_ response: TokenSet, latest: CurrentSession?, repeatedAt: ClockReading?) -> CurrentSession {
        var new = self
        new.isReplay = false
        new.record = record.refreshed(response, repeatedAt: repeatedAt)
        (new.begunAt, new.repeatedAt) = (nil, repeatedAt?.uptime)
        if let latest {
            new.record.user = latest.record.user
            // The ID token may have been verified since the refresh began.
            new.record.tokens.idToken = latest.record.tokens.idToken
        }
        return new
    }

    /// 6. Merge: returns this session with a new refresh token, or with the old one if the response has none.
    ///
    /// The session's own access token stays, with its lifetime.
    func refreshed(_ refreshToken: RefreshToken?, latest: CurrentSession?, repeatedAt: ClockReading?) -> CurrentSession
    {
        var tokens = record.tokens
        tokens.refreshToken = refreshToken ?? tokens.refreshToken
        return refreshed(tokens, latest: latest, repeatedAt: repeatedAt)
    }

    /// Takes over the outcome of a write of the same tokens.
    mutating func noteWrite(_ written: CurrentSession) {
        (stored, persistenceError, replaced) = (written.stored, written.persistenceError, written.replaced)
    }

    mutating func noteStoreEmptied() { (isStoreEmptied, replaced) = (true, .nothing) }
}

/// The session that a sign-in replaces.
enum Replaced: Sendable {
    /// The store was not read.
    case unknown
    /// There was no session, or it can't be read.
    case nothing
    /// The session was in memory or in the store.
    case record(SessionRecord)

    var record: SessionRecord? { if case .record(let record) = self { record } else { nil } }
}

/// An item of the store, and the tokens in it, which identify its session.
///
/// If another process journals the start of a refresh of the same tokens, the item changes, but this session may still
/// replace it.
struct StoredItem: Sendable {
    let item: SecretBytes
    let tokens: TokenSet
}

extension TokenSet {
    /// Returns whether both hold the same tokens; the lifetime may differ, since it has been through a file.
    func isSame(as other: TokenSet) -> Bool {
        accessToken == other.accessToken && refreshToken == other.refreshToken
    }
}
