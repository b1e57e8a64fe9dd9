import AuthCore

/// What the store says about a refresh.
enum StoreReading: Sendable {
    /// Another process has changed the session, and that is the refresh's result.
    case settled(Result<AccessToken, any Error>)
    /// What is in the hand is to be refreshed.
    case unsettled
    /// The store can't say, so nobody may be signed out on its word, and no token used up.
    case unavailable(AuthSessionError)
}
