// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import AuthSession
import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession {
    /// Returns the session's verified ID token, valid for at least a given time by its `exp` and this device's clock.
    ///
    /// An ID token that lasts long enough is returned without a request. Otherwise the session is refreshed, once for
    /// all waiting callers, and the new ID token is verified. If it is rejected, the session continues with the new
    /// tokens. If the refresh brings an ID token that was issued earlier, and the provider's last long enough, there is
    /// another one. Restores the session if that has not been done.
    ///
    /// - Returns: The ID token, as received. Secret.
    /// - Throws: `IDTokenError` if the new ID token was rejected, or `keysUnavailable` if it can't be verified now;
    ///   `AuthSessionError` (`noIDToken` if the session has no ID token; `noRefreshToken`; `lifetimeTooShort` if
    ///   no refresh brought an ID token that is valid for that long); the errors of `accessToken()`;
    ///   `CancellationError` at once if the task is cancelled.
    ///
    /// [OpenID Connect Core 1.0, 12.2](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokenResponse).
    public func idToken(validFor span: Duration = .zero) async throws -> IDToken {
        let epoch = try await restoredUser().epoch
        if let token = try currentIDToken(validFor: span, in: epoch) { return token }
        // A refresh may have brought one that nobody has used.
        _ = try await verifyReceivedIDToken(in: epoch)
        if let token = try currentIDToken(validFor: span, in: epoch) { return token }
        // At most two refreshes. The first may be another process's, or bring an ID token that was issued earlier.
        for _ in 0..<2 {
            let before = try currentTokens(in: epoch)
            guard canRefresh else { throw AuthSessionError(.noRefreshToken) }
            // The provider omits ID tokens: another refresh would bring none either.
            guard !lastRefreshBroughtNoIDToken || freshCredential == nil else { break }
            try await refreshIDToken()
            let refusal = try await verifyReceivedIDToken(in: epoch)
            if let token = try currentIDToken(validFor: span, in: epoch) { return token }
            if let refusal { throw refusal }
            // A new ID token is too short. Another refresh may help if the provider's ID tokens last that long.
            let new = try currentTokens(in: epoch).idToken
            guard new == before.idToken || Self.lasted(new, for: span) else { break }
        }
        throw AuthSessionError(.lifetimeTooShort)
    }

    /// Verifies the ID token of the last refresh, if nobody has, and keeps it.
    ///
    /// - Returns: The reason that it was not kept; nil if it was, or if there was none.
    private func verifyReceivedIDToken(in epoch: Int) async throws -> (any Error)? {
        let tokens = try currentTokens(in: epoch)
        guard let received = receivedIDToken, let provider else { return nil }
        do {
            let verified = try await provider.verifiedIDToken(
                received.token,
                receivedAt: received.receivedAt,
                of: tokens.accessToken,
                previous: tokens.idToken,
                user: try currentUser().id
            )
            try await keepIDToken(verified, of: tokens.accessToken, in: epoch)
            return nil
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return error
        }
    }

    /// Returns the verified ID token, or nil if it is not valid for a time span.
    private func currentIDToken(validFor span: Duration, in epoch: Int) throws -> IDToken? {
        let tokens = try currentTokens(in: epoch)
        guard provider?.metadata.issuesIDTokens ?? false, tokens.idToken != nil || receivedIDToken != nil else {
            throw AuthSessionError(.noIDToken)
        }
        guard let token = tokens.idToken, let expiration = try? UnverifiedJWT(token).claims.expiration else {
            return nil
        }
        let left = expiration.timeIntervalSince(clock.date())
        return left > 0 && left >= span.timeInterval ? token : nil
    }

    /// Returns whether an ID token was valid for more than a time span when it was issued.
    private static func lasted(_ token: IDToken?, for span: Duration) -> Bool {
        guard let claims = token.flatMap({ try? UnverifiedJWT($0).claims }), let start = claims.issuedAt,
            let end = claims.expiration
        else { return false }
        return end.timeIntervalSince(start) > span.timeInterval
    }

    /// Returns the tokens, unless a user has signed in or out since an epoch.
    private func currentTokens(in epoch: Int) throws(AuthSessionError) -> TokenSet {
        _ = try currentUser()
        guard isCurrent(epoch), let tokens = tokensInHand else { throw AuthSessionError(.notSignedIn) }
        return tokens
    }
}
