import AuthSession

extension AuthSession {
    /// The end of every command that may have got new tokens: what could not be written is tried again, or told.
    ///
    /// Before the result is printed, so that who reads it knows whether the session was kept.
    func finish() async throws {
        guard unsaved != nil else { return }
        try await saveAgain()
    }
}
