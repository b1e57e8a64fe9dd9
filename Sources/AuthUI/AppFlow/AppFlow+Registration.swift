extension AppFlow {
    /// The reason to show the registration screen.
    ///
    /// Each case takes effect only in the session state that it fits, so a stale value shows no wrong screen.
    public enum Registration: Sendable, Hashable {
        /// No registration is due.
        case notDue
        /// The user asked to register; takes effect only while signed out.
        case requested
        /// The backend requires the signed-in user to register; takes effect only while signed in.
        case required
    }
}
