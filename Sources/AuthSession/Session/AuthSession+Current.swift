// SPDX-License-Identifier: Apache-2.0

package import AuthCore
import Logging

extension AuthSession {
    /// The current tokens; nil if the user is signed out.
    package var tokensInHand: TokenSet? { current?.record.tokens }

    /// Whether the last refresh brought no ID token to a session that has one; false before the first one.
    package var lastRefreshBroughtNoIDToken: Bool { current?.record.lacksNewIDToken ?? false }

    /// The ID token that the last refresh brought, if nobody has verified it; secret.
    package var receivedIDToken: ReceivedIDToken? { current?.record.receivedIDToken }

    /// Keeps an ID token that was verified, unless its access token was replaced meanwhile.
    package func keepIDToken(_ idToken: IDToken, of accessToken: AccessToken, in epoch: Int) async throws {
        guard isCurrent(epoch), current?.record.tokens.accessToken == accessToken else { return }
        modify { $0.keepIDToken(idToken) }
        showTokens()
        do {
            try await updateStored(in: epoch, where: { $0.tokens.accessToken == accessToken }) {
                $0.tokens.idToken = idToken
                $0.receivedIDToken = nil
            }
        } catch let error where !(error is CancellationError) {
            // The next write contains it.
            logger.warning("the new ID token could not be written to the store; it is kept in memory")
        }
    }

    /// Returns the signed-in user's identifier, nil if the server has not named the user, and the epoch.
    ///
    /// - Throws: ``AuthSessionError`` if the user is signed out.
    package func currentUser() throws(AuthSessionError) -> (id: String?, epoch: Int) {
        guard let current else { throw absence() }
        return (current.record.user?.id, epoch)
    }

    /// Returns as ``currentUser()``, and restores the session first if that has not been done.
    package func restoredUser() async throws -> (id: String?, epoch: Int) {
        _ = try await requireCurrent()
        return try currentUser()
    }

    /// Takes over the user as the server has changed them, in the state and in the store.
    ///
    /// - Parameter known: The identifier of the user before the change; nil if the server had not named the user, and
    ///   this response names them.
    /// - Throws: ``AuthSessionError`` (`superseded` if a user signed out or in meanwhile; `invalidResponse` if it is
    ///   another user).
    package func replaceUser(
        identifiedBy known: String?,
        with user: SessionUser,
        in epoch: Int
    ) async throws(AuthSessionError) {
        guard (try? session(in: epoch)) != nil else { throw AuthSessionError(.superseded) }
        guard known?.utf8.elementsEqual(user.id.utf8) ?? true else { throw AuthSessionError(.invalidResponse) }
        apply { $0.changeProfile(to: user) }
        await keepUser(in: epoch)
    }

    /// Takes over the server's description of the user, unless a user signed in or out since an epoch.
    package func update(_ user: SessionUser, since epoch: Int) {
        guard (try? session(in: epoch)) != nil else { return }
        modify { $0.name(user) }
        if case .signedIn(_, let connectivity) = state { publish(.signedIn(user, connectivity)) }
    }
}
