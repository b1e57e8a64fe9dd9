// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The result of reading the store for a refresh.
enum StoreReading: Sendable {
    /// Another process has changed the session, and the refresh ends with this result.
    case settled(Result<TokenSet, any Error>)
    /// The current session is to be refreshed.
    case unsettled
    /// The store can't be read, so the user must not be signed out, and no token used up.
    case unavailable(AuthSessionError)
}
