/// What came of writing down that a refresh begins.
enum JournalWriting: Sendable {
    /// It is written, or there is nothing to write it to.
    case written(HeldSession)
    /// Another process has changed the session since it was read.
    case changed
    /// The store does not take it now.
    case unavailable(AuthSessionError)
}

/// What came of writing new tokens.
enum TokenWriting: Sendable {
    /// They are in the store, or in memory where that could not be; ``HeldSession/unsaved`` tells.
    case done(HeldSession)
    /// The store holds other tokens, or none.
    ///
    /// `isGone`: the session that these belong to has ended, by a sign-out or another sign-in.
    case overtaken(isGone: Bool)
}
