// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Asks the provider for its claims about the user.
    ///
    /// The claims' subject must be the session's user. The user's name, email address and telephone number in the
    /// session's state become those of the claims. A refused access token is replaced once.
    ///
    /// - Throws: `OpenIDError`; the errors of `accessToken()`, and `contractMismatch` without a provider.
    public func userInfo() async throws -> UserInfo {
        let provider = try requireProvider()
        // The tokens are read together, because another user may sign in meanwhile.
        let tokens = try await tokensToSend()
        do {
            return try await userInfo(of: provider, with: tokens)
        } catch let error as OpenIDError where error.reason == .unauthorized {
            // The token was revoked, or has expired by the provider's clock.
            return try await userInfo(of: provider, with: try await tokensToSend(insteadOf: tokens.accessToken))
        }
    }

    private func userInfo(of provider: OpenIDProvider, with tokens: TokenSet) async throws -> UserInfo {
        let (subject, epoch) = try currentUser()
        let info = try await provider.userInfo(with: tokens, of: subject)
        update(SessionUser(info), since: epoch)
        return info
    }
}
