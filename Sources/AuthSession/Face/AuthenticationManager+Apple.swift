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
            // Gone with this answer, whatever it is.
            guard let attempt = appleAttempt.take() else { throw AuthSessionError(.superseded) }
            try await session.signIn(with: try result.get(), for: attempt)
            end(nil)
        } catch {
            end(error)
        }
    }
}
