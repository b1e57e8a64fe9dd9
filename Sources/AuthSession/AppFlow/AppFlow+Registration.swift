extension AppFlow {
    /// Whether a person is to register.
    ///
    /// Each reason counts where it can be true alone, so one that is left over shows no wrong screen.
    public enum Registration: Sendable, Hashable {
        /// They are not.
        case notDue
        /// They have asked for it; counts while nobody is signed in.
        case requested
        /// The backend says that who is signed in still has to; counts while somebody is.
        case required
    }
}
