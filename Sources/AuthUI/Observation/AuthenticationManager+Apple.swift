// SPDX-License-Identifier: Apache-2.0

public import AppBackendSession
import AuthCore
import AuthSession

/// The request of a sign-in with Apple: `ASAuthorizationAppleIDRequest` on platforms that have it.
public protocol AppleIDRequest: AnyObject {
    /// The SHA-256 of the attempt's nonce, which the identity token repeats.
    ///
    /// Not secret.
    var nonce: String? { get set }
}

extension AuthenticationManager {
    /// Prepares a sign-in with Apple by setting the hash of the attempt's nonce in the request.
    ///
    /// Each request begins a new attempt and ends the previous one.
    public func handleAppleSignInRequest(_ request: some AppleIDRequest) {
        let attempt = AppleSignInAttempt()
        request.nonce = attempt.hashedNonce
        appleAttempt = consume attempt
    }

    /// Signs in with the result of a sign-in with Apple.
    ///
    /// Errors appear in ``errorMessage``, except if the user cancelled.
    ///
    /// - Parameter result: The credential, or `CancellationError` if the user cancelled.
    public func handleAppleSignInCompletion(_ result: Result<AppleCredential, any Error>) async {
        begin()
        do {
            // Read first: another request may have followed one that was cancelled.
            let credential = try result.get()
            // An attempt is used once, whatever the backend says.
            guard let attempt = appleAttempt.take() else { throw AuthSessionError(.superseded) }
            try await session.signIn(with: credential, for: attempt)
            end(nil)
        } catch {
            end(error)
        }
    }
}
