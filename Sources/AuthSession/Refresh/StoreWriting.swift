// SPDX-License-Identifier: Apache-2.0

/// The result of journaling the start of a refresh.
enum JournalWriting: Sendable {
    /// The journal is written, or there is no item to write it to.
    case written(CurrentSession)
    /// Another process has changed the session since it was read.
    case changed
    /// The store does not accept the write now.
    case unavailable(AuthSessionError)
}

/// The result of writing new tokens.
enum TokenWriting: Sendable {
    /// The tokens are in the store, or in memory if the write failed; see ``CurrentSession/persistenceError``.
    case done(CurrentSession)
    /// The store holds other tokens, or no session.
    ///
    /// `isGone`: the session of these tokens has ended, by a sign-out or another sign-in.
    case overtaken(isGone: Bool)
}
