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
    /// tokens. Restores the session if that has not been done.
    ///
    /// - Parameter span: The time for which it must be valid from now.
    /// - Returns: The ID token, as received. Secret.
    /// - Throws: `IDTokenError` if the new ID token was rejected, or `keysUnavailable` if it can't be verified now;
    ///   `AuthSessionError` (`noIDToken` if the session has no ID token; `noRefreshToken`; `lifetimeTooShort` if the
    ///   refresh brought no ID token, or one that is not valid for that long); the errors of `accessToken()`;
    ///   `CancellationError` at once if the task is cancelled.
    ///
    /// [OpenID Connect Core 1.0, 12.2](https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokenResponse).
    public func idToken(validFor span: Duration = .zero) async throws -> IDToken {
        let startGeneration = try await restoredUser().generation
        if let token = try currentIDToken(validFor: span, in: startGeneration) { return token }
        // An earlier refresh may have brought one that is still being verified.
        _ = try await newestIDTokenRefusal()
        if let token = try currentIDToken(validFor: span, in: startGeneration) { return token }
        // Twice, because the first refresh may be another process's, which is still verifying its ID token.
        for _ in 0..<2 {
            let before = try currentTokens(in: startGeneration)
            guard canRefresh else { throw AuthSessionError(.noRefreshToken) }
            // The provider omits ID tokens: another refresh would bring none either.
            guard !lastRefreshBroughtNoIDToken || freshCredential == nil else { break }
            _ = try await tokensToSend(insteadOf: before.accessToken)
            let refusal = try await newestIDTokenRefusal()
            if let token = try currentIDToken(validFor: span, in: startGeneration) { return token }
            if let refusal { throw refusal }
            // A new ID token is too short. Another refresh would bring the same.
            guard try currentTokens(in: startGeneration).idToken == before.idToken else { break }
        }
        throw AuthSessionError(.lifetimeTooShort)
    }

    /// Returns the verified ID token, or nil if it is not valid for a time span.
    private func currentIDToken(validFor span: Duration, in startGeneration: Int) throws -> IDToken? {
        let tokens = try currentTokens(in: startGeneration)
        guard provider?.metadata.issuesIDTokens ?? false, let token = tokens.idToken else {
            throw AuthSessionError(.noIDToken)
        }
        guard let expiration = try? UnverifiedJWT(token).claims.expiration else { return nil }
        let left = expiration.timeIntervalSince(clock.date())
        return left > 0 && left >= span.timeInterval ? token : nil
    }

    /// Returns the tokens, unless a user has signed in or out since a generation.
    private func currentTokens(in startGeneration: Int) throws(AuthSessionError) -> TokenSet {
        guard try currentUser().generation == startGeneration, let tokens = tokensInHand else {
            throw AuthSessionError(.notSignedIn)
        }
        return tokens
    }
}
