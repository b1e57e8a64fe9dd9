// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
public import AuthSession
public import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession {
    /// Asks the provider for its claims about the user.
    ///
    /// The claims' subject must be the session's user. The user's name, email address and telephone number in the
    /// session's state become those of the claims. If the endpoint rejects a refreshed token, too, its refusals cause no
    /// further refresh: the tokens are for another API.
    ///
    /// - Returns: The claims.
    /// - Throws: `OpenIDError`; the errors of `accessToken()`; `CancellationError`.
    public func userInfo() async throws -> UserInfo {
        let provider = try requireProvider()
        // The tokens are read together, because another user may sign in meanwhile.
        let tokens = try await tokensToSend()
        let (subject, startGeneration) = try currentUser()
        do {
            if !canValidate, provider.isForAnotherAPI(tokens.scope) { throw OpenIDError(.userInfo, .otherAudience) }
            return try await userInfo(of: provider, with: tokens, subject, in: startGeneration)
        } catch let error as OpenIDError where error.reason == .unauthorized && canValidate {
            // The token was revoked, or has expired by the provider's clock: tried once with another one.
            let other = try await tokensToSend(insteadOf: tokens.accessToken)
            let (subject, startGeneration) = try currentUser()
            do {
                return try await userInfo(of: provider, with: other, subject, in: startGeneration)
            } catch let error as OpenIDError where error.reason == .unauthorized {
                await noteValidation(isSupported: false, in: startGeneration)
                throw error
            }
        } catch let error as OpenIDError where error.reason == .otherAudience {
            await noteValidation(isSupported: false, in: startGeneration)
            throw error
        }
    }

    private func userInfo(
        of provider: OpenIDProvider,
        with tokens: TokenSet,
        _ subject: String?,
        in startGeneration: Int
    ) async throws -> UserInfo {
        let info = try await provider.userInfo(with: tokens, of: subject)
        update(SessionUser(info), since: startGeneration)
        await noteValidation(isSupported: true, in: startGeneration)
        return info
    }
}
