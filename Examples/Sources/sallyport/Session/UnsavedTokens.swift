import AuthSession

extension AuthSession {
    /// Saves tokens that could not be saved before, or throws.
    ///
    /// Every command that may have got new tokens calls it before it prints its result, so that a printed result means
    /// a saved session.
    func finish() async throws {
        guard persistenceError != nil else { return }
        try await flush()
    }
}
