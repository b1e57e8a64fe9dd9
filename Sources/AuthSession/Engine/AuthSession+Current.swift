// SPDX-License-Identifier: Apache-2.0

package import AuthCore

extension AuthSession {
    /// The current tokens; nil if the user is signed out.
    package var tokensInHand: TokenSet? { current?.record.tokens }

    /// Whether the last refresh brought no ID token; false before the first one.
    package var lastRefreshBroughtNoIDToken: Bool { current?.record.lacksNewIDToken ?? false }

    /// Returns the signed-in user's identifier, nil if the server has not named the user, and the generation.
    ///
    /// - Throws: ``AuthSessionError`` if the user is signed out.
    package func currentUser() throws(AuthSessionError) -> (id: String?, generation: Int) {
        guard let current else { throw absence() }
        return (current.record.user?.id, generation)
    }

    /// Returns as ``currentUser()``, and restores the session first if that has not been done.
    ///
    /// - Throws: ``AuthSessionError`` if the user is signed out; `CancellationError`.
    package func restoredUser() async throws -> (id: String?, generation: Int) {
        _ = try await requireCurrent()
        return try currentUser()
    }

    /// Takes over the server's description of the user, unless a user signed in or out since an generation.
    package func update(_ user: SessionUser, since generation: Int) {
        guard generation == self.generation, current != nil else { return }
        apply(.named(user))
        if case .signedIn(_, let connectivity) = state { publish(.signedIn(user, connectivity)) }
    }
}
