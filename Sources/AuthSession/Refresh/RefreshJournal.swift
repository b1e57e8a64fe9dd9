// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The record in the store that a refresh of the session's tokens has begun.
extension AuthSession {
    /// Returns whether a refresh was begun, its response did not arrive, and the server would still repeat it.
    func isReplayDue(_ session: CurrentSession) -> Bool {
        guard authority.rotatesRefreshTokens, let begunAt = session.begunAt, let window = replayWindow else {
            return false
        }
        return clock.uptime() - begunAt < window
    }

    /// The time within which a refresh may be sent again: the server's window, less a second for the transmission.
    var replayWindow: Duration? { authority.graceWindow.map { $0 - .seconds(1) } }

    /// Returns whether a refresh was begun, its response did not arrive, and the server would no longer repeat it.
    ///
    /// The old token is then the last resort: presented again, it may look like a thief's.
    func isPastReplay(_ session: CurrentSession) -> Bool {
        authority.rotatesRefreshTokens && session.begunAt != nil && !isReplayDue(session)
    }

    /// Returns the time from which a session's access token is to be refreshed.
    ///
    /// It is urgent while the server repeats a lost response. After that, and without a refresh token, it waits until
    /// the access token counts as expired.
    func refreshTime(of session: CurrentSession) -> Duration {
        if isReplayDue(session) { return .zero }
        let isEarly = !isPastReplay(session) && authority.canRefresh(session.record.tokens)
        return isEarly ? session.deadline.freshUntil : session.deadline.expiredFrom
    }

    /// Returns the wait until the tokens of a repeated refresh may be exchanged, or nil if there is no wait.
    ///
    /// The first request of that refresh may still be in transit.
    func reuseHoldOff(of session: CurrentSession) -> Duration? {
        guard authority.rotatesRefreshTokens, let window = authority.graceWindow, let repeatedAt = session.repeatedAt
        else { return nil }
        let left = repeatedAt + window - clock.uptime()
        return left > .zero ? left : nil
    }

    /// 4. Journal: records in the store that a refresh of these tokens has begun.
    ///
    /// A process that finds the journal after a crash knows that the server may have replaced the tokens. It sends the
    /// same refresh again while the server's grace window is open.
    ///
    /// - Parameters:
    ///   - target: The API whose access token the callers want; nil for the session's own.
    ///   - isNewTarget: Whether that API's request follows a refused one for another API, and not that one again.
    func openJournal(
        of session: CurrentSession,
        for target: TokenTarget?,
        isNewTarget: Bool,
        in epoch: Int
    ) async -> JournalWriting {
        var session = session
        // The refresh was begun before and its outcome is unknown: the window began with the first attempt.
        if session.record.refreshBegunAt != nil {
            session.isReplay = true
            // The request is repeated as it was, whichever API the callers want: the server repeats its response.
            if isReplayDue(session), !isNewTarget { return .written(session) }
            // Past the window, the refresh is the last resort, and the server's window may be longer. The server may
            // carry it out now: if that response is lost, it is requested again in a window of its own.
        }
        if isNewTarget || !session.isReplay || !authority.rotatesRefreshTokens { session.record.refreshTarget = target }
        if session.isReplay, !authority.rotatesRefreshTokens { return .written(session) }
        // The tokens in memory are newer than those in the store, which are used up already.
        guard session.persistenceError == nil else { return unjournaled(session) }
        if !isReplayDue(session) {
            let now = clock.reading()
            session.record.noteRefresh(begunAt: now)
            session.begunAt = now.uptime
        }
        guard session.isRemembered, let stored = session.stored else {
            // The session is only in memory, and so is its journal.
            if !session.isRemembered { modify { $0.replaceTokens(by: session) } }
            return session.isRemembered ? unjournaled(session) : .written(session)
        }
        do {
            guard let written = try await repository.replace(stored, with: session.record) else { return .changed }
            session.stored = written
            if isCurrent(epoch) { modify { [session] in $0.replaceTokens(by: session) } }
            return .written(session)
        } catch {
            logger.warning("the start of a refresh could not be written to the store")
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
    }

    /// Returns the outcome for tokens that the store does not hold: a refresh that would use them up waits until it
    /// does.
    private func unjournaled(_ session: CurrentSession) -> JournalWriting {
        guard authority.rotatesRefreshTokens else { return .written(session) }
        return .unavailable(
            AuthSessionError(.storeUnavailable, underlying: session.persistenceError ?? SecureStoreError(.busy))
        )
    }

    /// Closes the journal of a refresh that the server certainly has not carried out.
    ///
    /// Also records a refusal, so that the user learns of it from any process. This is a best effort: if the journal
    /// stays open, the next attempt is a replay. It is made at once within the server's window, and past it not before
    /// the access token expires.
    ///
    /// - Parameter hasFailed: Whether the server failed. Without a code, it may have replaced the tokens first, and the
    ///   journal stays open.
    func closeJournal(
        of old: CurrentSession,
        after error: AuthSessionError,
        hasFailed: Bool = false,
        in epoch: Int
    ) async {
        // An earlier request may have been carried out. The failure of this one does not show it.
        let closes = !old.isReplay && old.record.refreshBegunAt != nil && (!hasFailed || error.serverCode != nil)
        let (known, now) = (old.record.refreshRefusal, clock.reading())
        let isRefusal = old.record.refreshTarget == nil && (hasFailed || error.code == .refreshRefused)
        let refusal = isRefusal ? known?.after(error, at: now) ?? RefreshRefusal(error, at: now) : known
        guard closes || refusal != known else { return }
        var session = old
        if closes {
            session.record.noteRefresh(begunAt: nil)
            session.begunAt = nil
        }
        session.record.refreshRefusal = refusal
        do {
            if session.isRemembered {
                guard let stored = old.stored else { return }
                // The user may have been written since. A journal of another process stays.
                let (tokens, begunAt) = (stored.tokens, try SessionRecord(stored.item).refreshBegunAt)
                let written = try await repository.update(
                    where: { $0.tokens.isSame(as: tokens) && $0.refreshBegunAt == begunAt },
                    { record in
                        if closes { record.noteRefresh(begunAt: nil) }
                        record.refreshRefusal = refusal
                    }
                )
                guard let written else { return }
                session.stored = written.new
            }
            if isCurrent(epoch) { modify { [session] in $0.replaceTokens(by: session) } }
        } catch {
            logger.debug("the end of a failed refresh could not be written to the store")
        }
    }

    /// Notes that the server failed instead of refreshing.
    ///
    /// - Returns: The error to throw, which advises a sign-in if the server has refused before, or failed for a day.
    func noteServerFailure(
        _ error: AuthSessionError,
        of old: CurrentSession,
        _ isReplay: Bool,
        in epoch: Int
    ) async -> AuthSessionError {
        publishOffline(comingAgainAfter: error.retryAfter)
        var (error, session) = (error, old)
        session.isReplay = isReplay
        await closeJournal(of: session, after: error, hasFailed: true, in: epoch)
        let isLasting = old.record.refreshRefusal?.isLasting(at: clock.reading()) ?? false
        if isLasting { error.note = "Signing in again may help." }
        return error
    }
}

/// The result of journaling the start of a refresh.
enum JournalWriting: Sendable {
    /// The journal is written, or there is no item to write it to.
    case written(CurrentSession)
    /// Another process has changed the session since it was read.
    case changed
    /// The store does not accept the write now.
    case unavailable(AuthSessionError)
}
