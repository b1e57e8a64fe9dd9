// SPDX-License-Identifier: Apache-2.0

/// A server's decision on whether a session is valid.
public enum SessionValidation: Sendable {
    /// The session is valid; the server may have named the user.
    case valid(SessionUser?)
    /// The server responded, and the response says nothing about the session.
    case inconclusive
    /// The result is unknown: the call was cancelled, or the server refuses the app.
    case unknown
    /// The server refuses the access token.
    ///
    /// `endsSession` is false if the tokens may still be exchanged for new ones. The exchange then decides.
    case rejected(AuthSessionError, endsSession: Bool)
    /// The server can't be reached, or failed.
    case unavailable(AuthSessionError)
}
