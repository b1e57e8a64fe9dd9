// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

/// The session in memory, as a value: it has no store, no server, no clock, and never waits.
///
/// ``epoch`` rises in five methods alone, and each of them drops the refresh in progress: ``adopt(_:isNew:isOfSameUser:)``,
/// ``leave()``, ``end(_:because:)``, ``signIn(_:)`` and ``signOut(because:)``. A method returns the effects of its change
/// in order, or nothing if it has none; ``apply(_:)`` adds the effects on unsaved tokens. The methods that
/// `Docs/Models/refresh.pml` names are steps of that model.
struct Session {
    /// The current session; nil if the user is signed out.
    private(set) var current: CurrentSession? { didSet { handedOut.note(current?.record, epoch: epoch) } }
    /// The counter that a sign-in, sign-out and end raise here, and in another process unless the user stays the same.
    ///
    /// Work begun in an older epoch is not published.
    private(set) var epoch = 0
    /// The counter that the user's actions raise.
    ///
    /// A sign-in response that comes after another sign-in or a sign-out is dropped.
    private(set) var signInEpoch = 0
    /// The number of sign-ins in this process, and of other users' sign-ins in other processes.
    private(set) var signIns = 0
    /// The session that a sign-out has not removed from the store yet.
    ///
    /// The next sign-out retries; a sign-in replaces it.
    private(set) var pendingRemoval: EndedSession?
    /// The error with which the last session ended that the server ended, or that expired.
    private(set) var endError: AuthSessionError?
    /// Whether the server has been asked since the session was read or began.
    private(set) var hasAskedServer = false
    /// The number of changes of the user's profile.
    ///
    /// A validation that was requested before a change may name the user as before it.
    private(set) var profileUpdates = 0
    /// The number of sign-outs that are clearing the store, because no user is signed in here.
    private(set) var clearsInFlight = 0
    /// The number of removals from the store, of a session that the server has ended, that are in progress.
    private(set) var removalsInFlight = 0
    private var handedOut = HandedOutTokens()

    /// An action that follows from a change.
    enum Effect: Equatable {
        /// No token is only in memory any more: the inter-process lock that was kept for it is released.
        case releaseUnsavedTokens
        case observe(SessionEvent)
        /// Callers that wait for a refresh of the earlier epoch get the error, and earlier failures are forgotten.
        case dropRefresh(AuthSessionError)
        /// The failures of refreshes are forgotten, so that the next caller may try again at once.
        case forgetFailure
        /// The publisher no longer returns the old token. The state stays until the new one is written.
        case hideTokens
        case publish(SessionState)
        case notifyRestored(SessionUser?)
        case notifyReplaced
        case notifyReplacedElsewhere(by: SessionUser?)
    }

    /// Makes a change, and returns its effects, to be carried out in this order before anything else happens.
    mutating func apply(_ change: (inout Session) -> [Effect]) -> [Effect] {
        let wasUnsaved = current?.persistenceError != nil
        let effects = change(&self)
        return switch (wasUnsaved, current?.persistenceError) {
        case (false, let error?): [.observe(.tokensUnsaved(error.code))] + effects
        case (true, nil): [.releaseUnsavedTokens] + effects
        default: effects
        }
    }

    private var online: Effect { .publish(.signedIn(current?.record.user, .online)) }

    /// Returns whether a token was handed out to a user who is no longer signed in.
    func isOfEarlierSession(_ token: AccessToken) -> Bool { handedOut.isOlder(token, than: epoch) }

    // MARK: Restoring and validating

    /// `restore`: the store was read, and holds this session.
    mutating func restore(_ session: CurrentSession) -> [Effect] {
        current = session
        return [online, .notifyRestored(session.record.user)]
    }

    mutating func noteServerAsked() { hasAskedServer = true }

    /// The server confirmed the session, and may have named the user.
    mutating func confirm(_ user: SessionUser? = nil) -> [Effect] {
        if let user { current?.record.user = user }
        return [online]
    }

    /// The server has named the user.
    mutating func name(_ user: SessionUser) { current?.record.user = user }

    /// The session can't be refreshed, and the server accepts its token beyond the expiry.
    mutating func extend(to deadline: TokenDeadline) -> [Effect] {
        current?.deadline = deadline
        return [online]
    }

    /// The server has taken over the user's changes, and named the user as changed.
    mutating func changeProfile(to user: SessionUser) -> [Effect] {
        current?.record.user = user
        profileUpdates += 1
        return [online]
    }

    // MARK: The steps of a refresh

    /// The access token of a refresh in another process was over when it came.
    mutating func noteExpiredOnArrival() { current?.hasComeExpired = true }

    /// `reread` and `adopt`: another process has written this session.
    ///
    /// - Parameters:
    ///   - isNew: Whether its tokens differ.
    ///   - isOfSameUser: Whether it comes from a refresh, or from another sign-in of the same user.
    mutating func adopt(_ session: CurrentSession, isNew: Bool, isOfSameUser: Bool) -> [Effect] {
        var effects: [Effect] = isNew || !isOfSameUser ? [.observe(.adopted)] : []
        // The waiting callers belong to a user who is no longer signed in.
        if !isOfSameUser {
            epoch += 1
            signIns += 1
            effects.append(.dropRefresh(AuthSessionError(.notSignedIn)))
        }
        current = session
        if isNew || !isOfSameUser { effects += [.forgetFailure, online] }
        if !isOfSameUser { effects.append(.notifyReplacedElsewhere(by: session.record.user)) }
        return effects
    }

    /// `reread`: another process has signed out, or signed in at another backend.
    mutating func leave() -> [Effect] {
        epoch += 1
        current = nil
        return [.dropRefresh(AuthSessionError(.notSignedIn)), .publish(.signedOut(.signedOutElsewhere))]
    }

    /// `journal`: takes over a session whose write began earlier, but not what has changed since.
    ///
    /// The server may have named the user anew, and the access token may have been invalidated.
    mutating func replaceTokens(by session: CurrentSession) {
        guard let known = current else { return }
        var session = session
        session.record.user = known.record.user
        if known.record.tokens.accessToken == session.record.tokens.accessToken {
            session.record.tokens.lifetime = known.record.tokens.lifetime
            session.deadline = known.deadline
        }
        current = session
    }

    /// `publish`: new tokens are in the store, or could not be written.
    mutating func refresh(with session: CurrentSession) -> [Effect] {
        replaceTokens(by: session)
        return [online]
    }

    /// The server issued an access token for another API.
    mutating func keep(_ token: ResourceToken) {
        current?.record.resourceTokens.keep(token)
        // Noted even if it is too long to be kept.
        handedOut.note(token.accessToken, epoch: epoch)
    }

    /// An API has rejected the access token, which counts as expired from now on.
    mutating func invalidate(lifetime: TokenLifetime, deadline: TokenDeadline) {
        current?.record.tokens.lifetime = lifetime
        current?.deadline = deadline
    }

    /// The ID token that a refresh brought is verified.
    mutating func keepIDToken(_ idToken: IDToken) {
        current?.record.tokens.idToken = idToken
        current?.record.receivedIDToken = nil
    }

    // MARK: Writes

    /// A write of the current tokens has ended.
    mutating func noteWrite(_ written: CurrentSession) { current?.noteWrite(written) }

    /// A write has failed that did not change the tokens.
    mutating func noteFailedWrite(_ error: SecureStoreError) { current?.persistenceError = error }

    /// The store holds other tokens by now, or none, so that there is nothing left to write.
    mutating func noteOvertaken() { current?.persistenceError = nil }

    /// The item of the store was changed as the record in memory.
    mutating func noteStored(_ item: StoredItem) { current?.stored = item }

    /// The store was emptied for a session that is not remembered.
    mutating func noteStoreEmptied() { current?.noteStoreEmptied() }

    // MARK: The end of a session

    mutating func beginRemoval() { removalsInFlight += 1 }

    mutating func endRemoval() { removalsInFlight -= 1 }

    /// `end`: the server has ended the session, or it has expired.
    mutating func end(_ error: AuthSessionError, because reason: SignedOutReason) -> [Effect] {
        epoch += 1
        current = nil
        endError = error
        return [.publish(.signedOut(reason)), .dropRefresh(error)]
    }

    /// The user has signed in, and nothing is written yet.
    mutating func signIn(_ session: CurrentSession) -> [Effect] {
        let replaced = current
        let isSameUser = SessionUser.isSame(session.record.user, as: replaced?.record.user)
        signInEpoch += 1
        signIns += 1
        pendingRemoval = nil
        epoch += 1
        current = session
        // For the same user, work begun with the old token may continue with the new one.
        if isSameUser { handedOut.note(replaced?.record, epoch: epoch) }
        hasAskedServer = true
        let effects: [Effect] = [.dropRefresh(AuthSessionError(.notSignedIn)), .hideTokens]
        return replaced == nil || isSameUser ? effects : effects + [.notifyReplaced]
    }

    /// The user asked for a sign-out: a sign-in in progress is over.
    mutating func cancelSignIn() { signInEpoch += 1 }

    mutating func beginClear() { clearsInFlight += 1 }

    mutating func endClear() { clearsInFlight -= 1 }

    /// The user is signed out, and nothing is removed yet.
    mutating func signOut(because reason: SignedOutReason) -> [Effect] {
        epoch += 1
        let effects = [Effect.dropRefresh(AuthSessionError(.notSignedIn))]
        guard let ended = current else { return effects }
        current = nil
        pendingRemoval = EndedSession(ended)
        // The state is published at once: a slow store must not keep the token in use.
        return effects + [.publish(.signedOut(reason))]
    }

    mutating func noteRemoval(of ended: EndedSession) { if pendingRemoval === ended { pendingRemoval = nil } }
}

/// A session that the user signed out of, while the store may still hold it.
///
/// Several sign-outs may work on it, one after another or at once. The session's actor owns it.
final class EndedSession {
    let session: CurrentSession
    /// The generation of the tokens that the server was notified of, or is being notified of; nil if it was not.
    private var claimed: Int?

    init(_ session: CurrentSession) { self.session = session }

    /// Returns whether the caller is to notify the server of a generation's tokens: only one does, until it fails.
    func claimRevocation(of tokenGeneration: Int) -> Bool {
        if let claimed, claimed >= tokenGeneration { return false }
        claimed = tokenGeneration
        return true
    }

    /// Releases the claim after the server could not be notified, so that the next sign-out tries again.
    func revocationFailed(of tokenGeneration: Int) { if claimed == tokenGeneration { claimed = nil } }
}

/// The access tokens of the last sessions, for any API, each with its epoch.
///
/// A request that was refused with a token of an older epoch belongs to a user who is no longer signed in. It must not
/// be repeated with the current user's token.
private struct HandedOutTokens {
    private var tokens: [(token: AccessToken, epoch: Int)] = []

    mutating func note(_ record: SessionRecord?, epoch: Int) {
        guard let record else { return }
        for token in record.resourceTokens.all { note(token.accessToken, epoch: epoch) }
        note(record.tokens.accessToken, epoch: epoch)
    }

    mutating func note(_ token: AccessToken, epoch: Int) {
        tokens.removeAll { $0.epoch == epoch && $0.token == token }
        tokens.append((token, epoch))
        if tokens.count > 64 { tokens.removeFirst() }
    }

    /// Returns whether a token was handed out in an earlier epoch and not in this one.
    func isOlder(_ token: AccessToken, than epoch: Int) -> Bool {
        let epochs = tokens.filter { $0.token == token }.map(\.epoch)
        return !epochs.isEmpty && !epochs.contains(epoch)
    }
}
