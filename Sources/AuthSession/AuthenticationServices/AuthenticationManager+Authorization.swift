#if canImport(AuthenticationServices)
public import AuthenticationServices

extension ASAuthorizationAppleIDRequest: AppleIDRequest {}

extension AuthenticationManager {
    /// Prepares a sign-in with Apple that asks for what the app wants to know of the person.
    ///
    /// Apple tells name and address with the first sign-in only.
    ///
    /// - Parameters:
    ///   - request: What Apple will be asked with.
    ///   - scopes: What is asked for.
    public func handleAppleSignInRequest(
        _ request: ASAuthorizationAppleIDRequest,
        scopes: [ASAuthorization.Scope]
    ) {
        request.requestedScopes = scopes
        handleAppleSignInRequest(request)
    }

    /// Takes what Apple's button gave, and signs in with it.
    ///
    ///     SignInWithAppleButton(.signIn) { request in
    ///         manager.handleAppleSignInRequest(request, scopes: [.fullName, .email])
    ///     } onCompletion: { result in
    ///         Task { await manager.handleAppleSignInCompletion(authorization: result) }
    ///     }
    ///
    /// Whatever goes wrong stands in ``errorMessage``; that the person cancelled does not.
    ///
    /// - Parameter result: What the button gave.
    public func handleAppleSignInCompletion(authorization result: Result<ASAuthorization, any Error>) async {
        // Read here: what the system gave is not to be handed to another task.
        await handleAppleSignInCompletion(AppleCredential.result(of: result))
    }
}
#endif
