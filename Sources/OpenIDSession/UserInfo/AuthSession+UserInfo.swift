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
    /// session's state become those of the claims.
    ///
    /// - Returns: The claims.
    /// - Throws: `UserInfoError`; the errors of `accessToken()`; `CancellationError`.
    public func userInfo() async throws -> UserInfo {
        let provider = try requireProvider()
        // Token and key are read together, because another user may sign in meanwhile.
        let credential = try await credential()
        do {
            return try await userInfo(of: provider, with: credential)
        } catch let error as UserInfoError where error.code == .unauthorized {
            // The token was revoked, or has expired by the provider's clock: tried once with another one.
            let other = try await self.credential(insteadOf: credential.accessToken)
            return try await userInfo(of: provider, with: other)
        }
    }

    private func userInfo(of provider: OpenIDProvider, with credential: AccessCredential) async throws -> UserInfo {
        let (subject, startGeneration) = try currentUser()
        let info = try await provider.userInfo(
            with: credential.accessToken,
            of: subject,
            dpopKey: credential.binding?.key
        )
        update(SessionUser(subject: info.subject) { info.claims[$0] }, since: startGeneration)
        return info
    }
}
