// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices)
public import AuthSession
import AuthenticationServices
import Foundation

extension AppleCredentialState {
    /// Asks the system for the state of an Apple Account.
    ///
    ///     var options = SessionOptions()
    ///     options.appleCredentialState = { try await AppleCredentialState.current(of: $0) }
    ///
    /// - Throws: Apple's error.
    public static func current(of userIdentifier: String) async throws -> AppleCredentialState {
        switch try await ASAuthorizationAppleIDProvider().credentialState(forUserID: userIdentifier) {
        case .authorized: .authorized
        case .revoked: .revoked
        case .transferred: .transferred
        // A state that this version does not know signs out nobody either.
        default: .notFound
        }
    }
}

extension AuthSession {
    /// Asks for the state of the user's Apple Account whenever the system reports a revocation, until cancelled.
    ///
    /// A restore asks too, but an app in use may not restore for days. Run it in a task that lives as long as the app's
    /// screens:
    ///
    ///     ContentView().task { await session.checkAppleCredentialOnRevocation() }
    ///
    /// The notification names no user, so ``AuthSession/checkAppleCredential()`` decides.
    public func checkAppleCredentialOnRevocation() async {
        let (revocations, revoked) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let center = NotificationCenter.default
        let name = ASAuthorizationAppleIDProvider.credentialRevokedNotification
        let observer = center.addObserver(forName: name, object: nil, queue: nil) { @Sendable _ in revoked.yield() }
        defer { center.removeObserver(observer) }
        for await _ in revocations { await checkAppleCredential() }
    }
}
#endif
