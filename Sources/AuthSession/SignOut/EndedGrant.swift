import AuthCore
import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is left of a session that ended here before its provider could be told: enough to take its tokens back.
///
/// No name, no address, no ID token: who signed out is not kept beyond the provider's name for them.
struct EndedGrant: StoredForm {
    let provider: ProviderFormat
    /// Whose it was, so that it is not taken back while they are signed in again: both may be of one grant there.
    let subject: String?
    let refreshToken: String?
    /// Where there is no refresh token.
    let accessToken: String?
    /// Seconds since 1970.
    let endedAt: Double

    /// What could not be told for so long, in seconds, is not kept for ever: ninety days.
    private static let longestKept = 7_776_000.0

    /// Nil for a session of an app's own backend.
    init?(_ record: SessionRecord, endedAt: Date) {
        guard let provider = record.backend.provider else { return nil }
        self.provider = ProviderFormat(provider)
        subject = record.user?.id
        refreshToken = record.tokens.refreshToken?.unredacted
        accessToken = refreshToken == nil ? record.tokens.accessToken.unredacted : nil
        self.endedAt = endedAt.timeIntervalSince1970
    }

    /// Whether it has waited too long.
    func isGivenUp(at now: Date) -> Bool { now.timeIntervalSince1970 - endedAt > Self.longestKept }

    /// Whether both are of one token.
    func isSame(as other: EndedGrant) -> Bool {
        refreshToken == other.refreshToken && accessToken == other.accessToken
    }

    /// Takes the token back.
    ///
    /// - Parameter provider: Whose it is.
    /// - Throws: `RevocationError`; `SecretError` where what is kept is no token; `CancellationError`.
    func revoke(at provider: OpenIDProvider) async throws {
        if let refreshToken {
            try await provider.revoke(try RefreshToken(refreshToken))
        } else if let accessToken {
            try await provider.revoke(try AccessToken(accessToken))
        }
    }
}
