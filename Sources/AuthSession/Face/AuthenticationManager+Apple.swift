import AuthCore

extension AuthenticationManager {
    /// Prepares a sign-in with Apple: the attempt's nonce goes into the request, hashed.
    ///
    /// Each request begins another attempt; the one before is over.
    ///
    /// - Parameter request: What Apple will be asked with.
    public func handleAppleSignInRequest(_ request: some AppleIDRequest) {
        let attempt = AppleSignInAttempt()
        request.nonce = attempt.hashedNonce
        appleAttempt = consume attempt
    }

    /// Takes what Apple gave, and signs in with it.
    ///
    /// Whatever goes wrong stands in ``errorMessage``; that the person cancelled does not.
    ///
    /// - Parameter result: What Apple gave; `CancellationError` where the person cancelled.
    public func handleAppleSignInCompletion(_ result: Result<AppleCredential, any Error>) async {
        begin()
        do {
            // First, for a request that was cancelled may have been followed by another one.
            let credential = try result.get()
            // Gone with this answer, whatever the backend says.
            guard let attempt = appleAttempt.take() else { throw AuthSessionError(.superseded) }
            try await session.signIn(with: credential, for: attempt)
            end(nil)
        } catch {
            end(error)
        }
    }
}
