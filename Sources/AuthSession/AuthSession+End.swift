import AuthCore
import Logging
import SecureStore

extension AuthSession {
    /// Ends the session because the server said so.
    ///
    /// What another process wrote meanwhile stays in the store.
    ///
    /// Who waits for a refresh, and who comes later, is told so once the store is cleared, and not that nobody was
    /// signed in.
    func endByServer(_ error: AuthSessionError, because reason: SignedOutReason = .endedByServer) async {
        guard let ended = held else { return }
        let waiting = flight ?? SharedResult()
        flight = nil
        ending = waiting
        raiseEpoch()
        held = nil
        publish(.signedOut(reason))
        defer {
            if ending === waiting { ending = nil }
            waiting.finish(.failure(error))
        }
        guard ended.isRemembered, let stored = ended.stored?.item else { return }
        do {
            _ = try await write { try await $0.removeItem(forKey: SessionRecord.key, ifEquals: stored) }
        } catch {
            logger.warning("an ended session could not be removed from the store")
        }
    }

    /// Gives tokens back that nobody will use.
    ///
    /// A best effort, made beside everything else.
    func giveBack(_ tokens: TokenSet) {
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
