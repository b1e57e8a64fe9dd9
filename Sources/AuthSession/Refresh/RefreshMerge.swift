// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// 6. Merge: puts a response, which the authority has checked, into the session that was refreshed.
///
/// Values that the response omits stay.
struct RefreshMerge: Sendable {
    /// The session that was refreshed.
    let old: CurrentSession
    /// The session as it is now; nil if a user signed out or in since the refresh began.
    let latest: CurrentSession?
    /// The time of the response, if the request was a repetition.
    let repeatedAt: ClockReading?

    /// Returns the session with the response's tokens.
    func session(with response: TokenSet) -> CurrentSession {
        var new = old
        new.isReplay = false
        new.record = old.record.refreshed(response, repeatedAt: repeatedAt?.date)
        (new.begunAt, new.repeatedAt) = (nil, repeatedAt?.uptime)
        if let latest {
            new.record.user = latest.record.user
            // The ID token was verified after the refresh began.
            new.record.tokens.idToken = latest.record.tokens.idToken
        }
        return new
    }

    /// Returns the session with a new refresh token, or with the old one if the response has none.
    ///
    /// The session's own access token stays, with its lifetime and with what is known of its validation.
    func session(with refreshToken: RefreshToken?) -> CurrentSession {
        var tokens = old.record.tokens
        tokens.refreshToken = refreshToken ?? tokens.refreshToken
        var new = session(with: tokens)
        new.record.supportsValidation = old.record.supportsValidation
        return new
    }
}
