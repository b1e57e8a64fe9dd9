// SPDX-License-Identifier: Apache-2.0

import Logging

extension AuthSession {
    /// Asks Apple's system whether the app may still use the user's Apple Account, and signs the user out if not.
    ///
    /// Asks ``SessionOptions/appleCredentialState``. Only ``AppleCredentialState/revoked`` signs out, with the reason
    /// ``SignedOutReason/appleIDRevoked``: a restored backup, another Apple Account on the device, or a missing network
    /// must sign out nobody. If another user signs in meanwhile, the response is dropped. A restore may call this.
    ///
    /// - Returns: The state; nil if the user did not sign in with Apple or is signed out, or if the system did not tell.
    @discardableResult
    public func checkAppleCredential() async -> AppleCredentialState? {
        guard let question = options.appleCredentialState, let record = current?.record, let user = record.appleUser
        else { return nil }
        let epoch = self.epoch
        let state: AppleCredentialState
        do {
            state = try await question(user)
        } catch {
            logger.debug("the state of the Apple Account could not be found out")
            return nil
        }
        guard state == .revoked else { return state }
        // The user may have signed in again since, in another process too.
        _ = try? await adoptStored(in: epoch)
        if current?.record.signIn == record.signIn { await endSession(of: epoch, because: .appleIDRevoked) }
        return state
    }
}
