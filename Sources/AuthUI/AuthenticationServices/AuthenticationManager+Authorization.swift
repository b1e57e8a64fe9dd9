// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices)
import AppBackendSession
public import AuthenticationServices

extension ASAuthorizationAppleIDRequest: AppleIDRequest {}

extension AuthenticationManager {
    /// Prepares a sign-in with Apple that requests personal data.
    ///
    /// Apple returns name and address at the first sign-in only.
    public func handleAppleSignInRequest(
        _ request: ASAuthorizationAppleIDRequest,
        scopes: [ASAuthorization.Scope]
    ) {
        request.requestedScopes = scopes
        handleAppleSignInRequest(request)
    }

    /// Signs in with the result of Apple's button.
    ///
    ///     SignInWithAppleButton(.signIn) { request in
    ///         manager.handleAppleSignInRequest(request, scopes: [.fullName, .email])
    ///     } onCompletion: { result in
    ///         Task { await manager.handleAppleSignInCompletion(authorization: result) }
    ///     }
    ///
    /// Errors appear in ``errorMessage``, except if the user cancelled.
    public func handleAppleSignInCompletion(authorization result: Result<ASAuthorization, any Error>) async {
        // Read here, because the system's object must not be sent to another task.
        await handleAppleSignInCompletion(AppleCredential.result(of: result))
    }
}
#endif
