// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a sign-in with Apple that waits for the redirect from the browser.
///
/// Contains nonce, state and code verifier: secret, and valid for one response and a short time.
struct PendingAppleSignIn: PendingSignIn {
    static var kind: String? { "apple" }

    let version: Int
    let kind: String
    /// The backend's address.
    let backend: String
    let clientID: String
    let redirectURI: String
    let nonce: String
    let state: String
    let codeVerifier: String
    let beganAt: Double

    init(_ signIn: AppleRedirectSignIn, at backend: BaseURL, beganAt: Date) {
        version = 1
        kind = "apple"
        self.backend = backend.description
        clientID = signIn.clientID
        redirectURI = signIn.redirectURI
        nonce = signIn.nonce.unredacted
        state = signIn.state.unredacted
        codeVerifier = signIn.codeVerifier.unredacted
        self.beganAt = beganAt.timeIntervalSince1970
    }

    /// Returns the sign-in; nil if it has expired, began at another backend, or is damaged.
    func signIn(at backend: BaseURL, at now: Date) -> AppleRedirectSignIn? {
        guard !isExpired(at: now), self.backend == backend.description, let nonce = try? Nonce(nonce),
            let state = try? OAuthState(state), let verifier = try? CodeVerifier(codeVerifier)
        else { return nil }
        return AppleRedirectSignIn(
            clientID: clientID,
            redirectURI: redirectURI,
            nonce: nonce,
            state: state,
            codeVerifier: verifier
        )
    }
}
