// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The remains of a session that ended here before its server was notified: enough to revoke its tokens.
///
/// It holds no name, email address or ID token. Of the user, it keeps only the server's identifier.
struct EndedGrant: StoredForm, Equatable {
    /// The authority that revokes the tokens.
    let authority: AuthorityRecord
    /// The user's identifier.
    ///
    /// The tokens are not revoked while this user is signed in again: both sessions may share one grant.
    let subject: String?
    let refreshToken: String?
    /// The access token, only if there is no refresh token.
    let accessToken: String?
    /// The access tokens for other APIs that the end of the refresh token need not end.
    let exchangedTokens: [String]
    /// The end of the session, in seconds since 1970.
    let endedAt: Double
    /// The number of refusals for which the server gave no reason.
    private var refusals = 0
    /// The last of these refusals, in seconds since 1970; nil if there was none.
    private var refusedAt: Double?

    /// The longest time that a grant is kept, in seconds: ninety days.
    private static let longestKept = 7_776_000.0
    /// The number of refusals without a reason after which the server is not asked again.
    private static let mostRefusals = 5
    /// The pause after such a refusal, in seconds: the last attempt is at least a day after the first.
    private static let pause = 21_600.0

    /// The maximum length of the exchanged tokens together, in bytes, because all grants share an item.
    private static let maximumSize = 16_384

    init(_ record: SessionRecord, endedAt: Date) {
        authority = record.authority
        subject = record.user?.id
        refreshToken = record.tokens.refreshToken?.unredacted
        accessToken = refreshToken == nil ? record.tokens.accessToken.unredacted : nil
        var size = 0
        exchangedTokens = RevocableTokens(record).exchangedTokens.map(\.unredacted).filter { token in
            size += token.utf8.count
            return size <= Self.maximumSize
        }
        self.endedAt = endedAt.timeIntervalSince1970
    }

    /// The tokens to revoke; nil if both are absent or one is malformed.
    var tokens: RevocableTokens? {
        do {
            let tokens = RevocableTokens(
                accessToken: try accessToken.map { try AccessToken($0) },
                refreshToken: try refreshToken.map { try RefreshToken($0) },
                exchangedTokens: try exchangedTokens.map { try AccessToken($0) }
            )
            return tokens.accessToken == nil && tokens.refreshToken == nil ? nil : tokens
        } catch {
            return nil
        }
    }

    /// Returns whether the grant has waited too long, or was refused too often.
    func isGivenUp(at now: Date) -> Bool {
        now.timeIntervalSince1970 - endedAt > Self.longestKept || refusals >= Self.mostRefusals
    }

    /// Returns whether the server may be asked again.
    func isDue(at now: Date) -> Bool {
        guard let refusedAt else { return true }
        // A clock that was set back must not block the attempt.
        return abs(now.timeIntervalSince1970 - refusedAt) >= Self.pause
    }

    /// Returns the grant after a refusal without a reason.
    func refused(at now: Date) -> EndedGrant {
        var grant = self
        grant.refusals += 1
        grant.refusedAt = now.timeIntervalSince1970
        return grant
    }

    /// Returns whether both grants hold the same tokens.
    func isSame(as other: EndedGrant) -> Bool {
        refreshToken == other.refreshToken && accessToken == other.accessToken
    }
}
