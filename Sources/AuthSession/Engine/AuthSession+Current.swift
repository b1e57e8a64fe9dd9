package import AuthCore

extension AuthSession {
    /// The current tokens; nil if the user is signed out.
    package var tokensInHand: TokenSet? { held?.record.tokens }

    /// Returns the signed-in user's identifier and the epoch.
    ///
    /// - Throws: ``AuthSessionError`` if the user is signed out, or the server has not named the user.
    package func currentUser() throws(AuthSessionError) -> (id: String, epoch: Int) {
        guard let id = held?.record.user?.id else { throw absence() }
        return (id, epoch)
    }

    /// Takes over the server's description of the user, unless a user signed in or out since an epoch.
    package func update(_ user: User, since epoch: Int) {
        guard epoch == self.epoch, held != nil else { return }
        apply(.named(user))
        if case .signedIn(_, let connectivity) = state { publish(.signedIn(user, connectivity)) }
    }
}
