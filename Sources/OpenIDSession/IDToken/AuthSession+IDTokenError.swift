// SPDX-License-Identifier: Apache-2.0

public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// The reason that the newest ID token of a refresh was rejected, or nil if it was kept or there was no ID token.
    ///
    /// The session continues with the new tokens and keeps its previous ID token. `keysUnavailable` doesn't mean that
    /// the token is invalid: the next refresh brings another one. Waits at most five seconds for a verification in
    /// progress. Returns at once if cancelled.
    public var idTokenError: IDTokenError? {
        get async { await idTokenRefusal as? IDTokenError }
    }
}
