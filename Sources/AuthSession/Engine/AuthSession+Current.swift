package import AuthCore

extension AuthSession {
    /// The current tokens; nil if the user is signed out.
    package var tokensInHand: TokenSet? { current?.record.tokens }

    /// Returns the signed-in user's identifier and the generation.
    ///
    /// - Throws: ``AuthSessionError`` if the user is signed out, or the server has not named the user.
    package func currentUser() throws(AuthSessionError) -> (id: String, generation: Int) {
        guard let id = current?.record.user?.id else { throw absence() }
        return (id, generation)
    }

    /// Takes over the server's description of the user, unless a user signed in or out since an generation.
    package func update(_ user: SessionUser, since generation: Int) {
        guard generation == self.generation, current != nil else { return }
        apply(.named(user))
        if case .signedIn(_, let connectivity) = state { publish(.signedIn(user, connectivity)) }
    }
}
