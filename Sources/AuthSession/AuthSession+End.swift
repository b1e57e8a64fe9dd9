import AuthCore
import Logging
import SecureStore

extension AuthSession {
    /// Ends the session because the server said so.
    ///
    /// The store is cleared first, so that a process may end with the answer, and only of what the server spoke of:
    /// where another process has written meanwhile, nothing is ended.
    ///
    /// - Parameters:
    ///   - error: What who waits for a refresh is told.
    ///   - reason: What the state says.
    /// - Returns: Whether it is ended; false where the store is to be read again.
    func endByServer(_ error: AuthSessionError, because reason: SignedOutReason = .endedByServer) async -> Bool {
        guard let ended = held else { return true }
        let begun = epoch
        if ended.isRemembered, let stored = ended.stored?.item {
            ending += 1
            defer { ending -= 1 }
            do {
                let isRemoved = try await write { try await $0.removeItem(forKey: SessionRecord.key, ifEquals: stored) }
                guard isRemoved else { return false }
            } catch {
                logger.warning("an ended session could not be removed from the store; it is not ended yet")
                return false
            }
        }
        guard begun == epoch, held != nil else { return true }
        let waiting = flight
        flight = nil
        raiseEpoch()
        held = nil
        endError = error
        publish(.signedOut(reason))
        waiting?.finish(.failure(error))
        return true
    }

    /// Gives tokens back that nobody will use.
    ///
    /// A best effort, made beside everything else. Not of the person who is signed in at a provider: both tokens may be of
    /// one grant there, and to take the old ones back may take the new ones along.
    func giveBack(_ tokens: TokenSet, of user: User?) {
        if backend.provider != nil, User.isSame(held?.record.user, as: user) { return }
        let authority = authority
        let logger = logger
        Task {
            do {
                _ = try await authority.signOut(tokens)
            } catch {
                logger.debug("tokens of a session that is gone could not be given back")
            }
        }
    }
}
