// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The state of a session as a value: it has no store, no server, no clock, and never waits.
///
/// Owns the current session, the epochs that mark outdated work, the access tokens that were handed out, and the
/// session still to be removed from the store. It changes only by events. Each event returns its effects in order.
/// Events that `Docs/Models/refresh.pml` names are steps of that model.
struct SessionCore {
    /// The current session; nil if the user is signed out.
    private(set) var current: CurrentSession? {
        didSet { handedOut.note(current?.record, epoch: epoch) }
    }
    /// The counter that every sign-in, sign-out and end raises, here or in another process.
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
    /// The error with which the server ended the last session.
    private(set) var endError: AuthSessionError?
    /// Whether the server has been asked since the session was read or began.
    private(set) var hasAskedServer = false
    /// The number of changes of the user's profile.
    ///
    /// A validation that was requested before a change may name the user as before it.
    private(set) var profileUpdates = 0
    private var handedOut = HandedOutTokens()
    private var clearsInFlight = 0
    private var removalsInFlight = 0

    /// Whether a sign-out is deleting an unread record.
    var isClearing: Bool { clearsInFlight > 0 }

    /// Whether a session that the server has ended is being removed from the store.
    var isEnding: Bool { removalsInFlight > 0 }

    /// Returns whether a token was handed out to a user who is no longer signed in.
    func isOfEarlierSession(_ token: AccessToken) -> Bool { handedOut.isOlder(token, than: epoch) }

    /// An event in the life of a session.
    enum Event {
        /// `restore`: the store was read, and holds this session.
        case restored(CurrentSession)
        /// The server is asked whether the session is valid.
        case serverAsked
        /// The server confirmed the session, and may have named the user.
        case confirmed(SessionUser?)
        /// The server has taken over the user's changes, and named the user as changed.
        case updated(SessionUser)
        /// The server named the user in another response.
        case named(SessionUser)
        /// The session can't be refreshed, and the server accepts its token beyond the expiry.
        case foundEndless(TokenDeadline)
        /// A server refused the current access token, which counts as expired from now on.
        case invalidated(TokenLifetime, TokenDeadline)

        /// `reread` and `adopt`: another process has written this session.
        ///
        /// `isNew`: its tokens differ. `isOfSameUser`: it comes from a refresh, or from another sign-in of the same
        /// user.
        case adopted(CurrentSession, isNew: Bool, isOfSameUser: Bool)
        /// `reread`: another process has signed out, or signed in at another backend.
        case left
        /// `journal`: the start of a refresh is recorded.
        case journaled(CurrentSession)
        /// The refresh certainly had no effect, and this is recorded.
        case journalClosed(CurrentSession)
        /// `publish`: new tokens are in the store, or could not be written.
        case refreshed(CurrentSession)
        /// `keep`: a later write of the same tokens has ended.
        case kept(CurrentSession)
        /// `keep`: the store now holds other tokens than those that were exchanged for the current ones.
        case overtaken
        /// The server issued an access token for another API.
        case obtained(ResourceToken)
        /// The ID token that came with the tokens is the provider's.
        case verified(IDToken)
        /// The store's item has changed, but not its tokens.
        case stored(StoredItem)

        /// `end`: the removal of a session that the server ended has begun.
        case removalBegan
        /// `end`: the removal has succeeded or failed.
        case removalEnded
        /// `end`: the server has ended the session, or it has expired.
        case ended(AuthSessionError, because: SignedOutReason)

        /// The user has signed in, and nothing is written yet.
        case signedIn(CurrentSession)
        /// The store was emptied for a session that is not persisted.
        case storeEmptied
        /// The user asks to sign out.
        case signOutAsked
        /// The user is signed out, and nothing is removed yet.
        case signedOut(because: SignedOutReason)
        /// The signed-out session is gone from the store.
        case removed(EndedSession)
        /// The deletion of an unread record has begun.
        case clearingBegan
        /// The deletion has succeeded or failed.
        case clearingEnded
    }

    /// An action that follows from an event.
    enum Effect: Equatable {
        /// No token is left in memory only.
        ///
        /// The inter-process lock that was kept for it is released.
        case releaseUnsavedTokens
        /// Callers that wait for a refresh of the earlier epoch get the error, and the last failure is forgotten.
        case dropRefresh(AuthSessionError)
        /// The last refresh's failure is forgotten, so that the next caller may try again at once.
        case forgetFailure
        /// The publisher no longer returns the old token.
        ///
        /// The state stays until the new one is written.
        case hideTokens
        /// The state and the tokens are published.
        case publish(SessionState)
        /// The hooks learn that a session was read from the store.
        case notifyRestored(SessionUser?)
        /// The hooks learn that another user's sign-in replaced the signed-in user.
        case notifyReplaced
        /// The hooks learn that another user has signed in, in another process.
        case notifyReplacedElsewhere(by: SessionUser?)
    }

    /// Applies an event.
    ///
    /// - Parameter event: The event.
    /// - Returns: The effects, to be carried out in this order before anything else happens.
    mutating func apply(_ event: Event) -> [Effect] {
        let wasUnsaved = current?.persistenceError != nil
        let effects = change(by: event)
        return wasUnsaved && current?.persistenceError == nil ? [.releaseUnsavedTokens] + effects : effects
    }

    private mutating func change(by event: Event) -> [Effect] {
        switch event {
        case .restored(let session):
            current = session
            let user = session.record.user
            return [.publish(.signedIn(user, .online)), .notifyRestored(user)]
        case .refreshed(let session):
            replaceTokens(by: session)
            return [.publish(.signedIn(current?.record.user, .online))]
        case .serverAsked:
            hasAskedServer = true
        case .confirmed(let user):
            if let user { current?.record.user = user }
            return [.publish(.signedIn(current?.record.user, .online))]
        case .updated(let user):
            current?.record.user = user
            profileUpdates += 1
            return [.publish(.signedIn(user, .online))]
        case .named(let user):
            current?.record.user = user
        case .foundEndless(let deadline):
            current?.deadline = deadline
            return [.publish(.signedIn(current?.record.user, .online))]
        case .invalidated(let lifetime, let deadline):
            current?.record.tokens.lifetime = lifetime
            current?.deadline = deadline
        case .adopted(let session, let isNew, let isOfSameUser):
            return adopt(session, isNew: isNew, isOfSameUser: isOfSameUser)
        case .left:
            epoch += 1
            current = nil
            return [.dropRefresh(AuthSessionError(.notSignedIn)), .publish(.signedOut(.signedOutElsewhere))]
        case .journaled(let session): replaceTokens(by: session)
        case .journalClosed(let session):
            guard current != nil else { return [] }
            replaceTokens(by: session)
        case .kept(let written):
            current?.noteWrite(written)
        case .overtaken:
            current?.persistenceError = nil
        case .obtained(let token):
            current?.record.resourceTokens.keep(token)
            // Noted even if it is too long to be kept.
            handedOut.note(token.accessToken, epoch: epoch)
        case .verified(let idToken):
            current?.record.tokens.idToken = idToken
            current?.record.receivedIDToken = nil
        case .stored(let item):
            current?.stored = item
        case .removalBegan:
            removalsInFlight += 1
        case .removalEnded:
            removalsInFlight -= 1
        case .ended(let error, let reason):
            epoch += 1
            current = nil
            endError = error
            return [.publish(.signedOut(reason)), .dropRefresh(error)]
        case .signedIn(let session):
            return signIn(session)
        case .storeEmptied:
            current?.isStoreEmptied = true
            current?.replaced = .nothing
        case .signOutAsked:
            // A sign-in in progress is over.
            signInEpoch += 1
        case .signedOut(let reason):
            return signOut(because: reason)
        case .removed(let ended):
            if pendingRemoval === ended { pendingRemoval = nil }
        case .clearingBegan:
            clearsInFlight += 1
        case .clearingEnded:
            clearsInFlight -= 1
        }
        return []
    }

    /// Takes over a session whose write began earlier, but not what has changed since: the server may have named another
    /// user, and the access token may have been invalidated.
    private mutating func replaceTokens(by session: CurrentSession) {
        let known = current
        current = session
        guard let known else { return }
        current?.record.user = known.record.user
        guard known.record.tokens.accessToken == session.record.tokens.accessToken else { return }
        current?.record.tokens.lifetime = known.record.tokens.lifetime
        current?.deadline = known.deadline
    }

    private mutating func adopt(_ session: CurrentSession, isNew: Bool, isOfSameUser: Bool) -> [Effect] {
        var effects: [Effect] = []
        // The waiting callers belong to a user who is no longer signed in.
        if !isOfSameUser {
            epoch += 1
            signIns += 1
            effects.append(.dropRefresh(AuthSessionError(.notSignedIn)))
        }
        current = session
        let user = session.record.user
        if isNew || !isOfSameUser { effects += [.forgetFailure, .publish(.signedIn(user, .online))] }
        if !isOfSameUser { effects.append(.notifyReplacedElsewhere(by: user)) }
        return effects
    }

    private mutating func signIn(_ session: CurrentSession) -> [Effect] {
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

    private mutating func signOut(because reason: SignedOutReason) -> [Effect] {
        epoch += 1
        let effects = [Effect.dropRefresh(AuthSessionError(.notSignedIn))]
        guard let ended = current else { return effects }
        current = nil
        pendingRemoval = EndedSession(ended)
        // The state is published at once: a slow store must not keep the token in use.
        return effects + [.publish(.signedOut(reason))]
    }
}
