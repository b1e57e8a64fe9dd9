// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AuthCore
public import Logging
public import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession {
    /// Reads the session from the store and publishes it at once, then asks the server in the background.
    ///
    /// If the session is known already, only asks the server, and only if that was not done. If the store can't be read
    /// now, the state becomes ``SessionState/locked(_:)`` and the user is not signed out; call this again once the
    /// store opens. If cancelled, it leaves the state as it was.
    ///
    /// - Parameter validating: Whether to ask the server in the background whether the session is still valid.
    public func restore(validating: Bool = true) async {
        // A session that is being cleared is not restored.
        guard !isKnown, !core.isClearing else {
            // The earlier restore did not ask the server.
            if validating, current != nil, !core.hasAskedServer {
                apply(.serverAsked)
                Task { await validate() }
                Task { await checkAppleCredential() }
            }
            return
        }
        let epoch = self.epoch
        let response: Result<SecretBytes?, any Error>
        do {
            response = .success(try await repository.item())
        } catch {
            response = .failure(error)
        }
        // A user signed in, or another call restored the session, during the read.
        guard isCurrent(epoch), !isKnown else { return }
        switch response {
        case .success(nil):
            publish(.signedOut(.noSession))
            if validating { Task { await finishEarlierWork() } }
        case .success(let item?):
            take(item)
            if validating, current != nil {
                apply(.serverAsked)
                // The store has just been read.
                Task { await ask() }
                Task { await checkAppleCredential() }
            }
            if validating { Task { await finishEarlierWork() } }
        case .failure(is CancellationError):
            break
        case .failure(let error):
            let error = SecureStoreError(cause: error)
            logger.debug("the store can't be read now (\(error.code))")
            publish(.locked(error))
        }
    }

    /// Finishes the work that earlier processes left: expired pending sign-ins, and pending revocations.
    private func finishEarlierWork() async {
        await removeOverdueSignIns()
        if authority.signOutPolicy.isRevocation { await revokeEndedSessions() }
    }

    /// Removes pending sign-ins that no process can complete any more.
    ///
    /// A restore and the beginning of a sign-in call this. ``signOut()`` removes every pending sign-in.
    package func removeOverdueSignIns() async {
        let (logger, now) = (logger, clock.date())
        // This throws only if the caller's task is cancelled. The next restore then removes them.
        try? await repository.write { try await $0.removePendingSignInIfOver(at: now, logger) }
    }

    /// Asks the server now whether the session is still valid, and whether the server can be reached.
    ///
    /// Reads the store first, because another process may have signed out. Refreshes if a refresh is due. A refusal
    /// ends the session, unless the tokens were replaced meanwhile.
    ///
    /// - Returns: The state afterwards.
    @discardableResult
    public func validate() async -> SessionState {
        let epoch = self.epoch
        guard current != nil else { return state }
        apply(.serverAsked)
        // Another process may have signed out at a backend that has no call for it.
        _ = try? await adoptStored(in: epoch)
        guard isCurrent(epoch) else { return state }
        return await ask()
    }

    /// Refreshes the current session if that is due, and asks the server about it if it can tell.
    @discardableResult
    private func ask() async -> SessionState {
        let epoch = self.epoch
        guard let before = current else { return state }
        let freshness = before.deadline.freshness(at: clock.uptime())
        // Presented again after the server's window, the old token would look like a thief's. The current access token
        // still works.
        let mayRefresh = !isPastReplay(before) || freshness == .expired
        if mayRefresh, freshness != .fresh || isReplayDue(before) {
            let refresh = await refreshDuringValidation(before.record.tokens.accessToken)
            switch refresh {
            case .done: break
            // An expired token would be refused even if the session is valid.
            case .failed where before.deadline.hasEnded(at: clock.uptime()): return state
            // The server has just requested a wait.
            case .failed where reconnectScheduler.remainingRetryAfter > .zero: return state
            case .failed: break
            // Another process is refreshing: its tokens are asked about, not these.
            case .delayed where before.deadline.hasEnded(at: clock.uptime()): return state
            case .delayed: break
            }
        }
        guard let asked = try? session(in: epoch) else { return state }
        let profileUpdates = core.profileUpdates
        switch await authority.validate(asked.record.tokens, of: asked.record.user) {
        case .valid(let user): await confirm(user, since: profileUpdates, in: epoch)
        case .inconclusive, nil:
            guard (try? session(in: epoch)) != nil, case .signedIn(_, .offline) = state else { break }
            // Only a refresh shows whether a server that was away is back.
            if mayRefresh {
                await refreshDuringValidation(asked.record.tokens.accessToken)
            } else {
                apply(.confirmed(nil))
            }
        case .rejected(let error, let endsSession):
            // Another process may have replaced the tokens. The response was then about the old ones.
            do {
                guard try await adoptStored(in: epoch) == nil,
                    try session(in: epoch).record.tokens.isSame(as: asked.record.tokens)
                else { return state }
            } catch {
                return state
            }
            if endsSession {
                // If another process was faster, the next check finds out.
                _ = await end(error)
            } else {
                await refreshDuringValidation(asked.record.tokens.accessToken)
            }
        case .unavailable(let error):
            guard (try? session(in: epoch)) != nil else { return state }
            publishOffline(comingAgainAfter: error.retryAfter)
        case .unknown:
            logger.debug("the validation was inconclusive")
        }
        return state
    }

    /// Takes over the server's confirmation of the session, and the user that it named.
    private func confirm(_ user: SessionUser?, since profileUpdates: Int, in epoch: Int) async {
        guard let known = try? session(in: epoch).record else { return }
        // The response may be older than a change of the profile during the request.
        apply(.confirmed(profileUpdates == core.profileUpdates ? user : nil))
        if current?.record.user != known.user { await keepUser(in: epoch) }
    }

    /// Changes the stored record as the one in memory was changed, and takes over the new item.
    ///
    /// Does nothing if the session is not in the store: a later write contains the change.
    ///
    /// - Returns: Whether the new item was taken over. False also if another process has changed the item, whose values
    ///   the next read takes over.
    /// - Throws: `SecureStoreError`; ``SessionRecordError``; `CancellationError`.
    @discardableResult
    func updateStored(
        in epoch: Int,
        where isExpected: @escaping @Sendable (SessionRecord) -> Bool,
        _ change: @escaping @Sendable (inout SessionRecord) -> Void
    ) async throws -> Bool {
        guard let session = current, session.stored != nil, session.persistenceError == nil, session.isRemembered
        else { return false }
        let written = try await repository.update(where: isExpected, change)
        guard isCurrent(epoch), let written, current?.stored?.item == written.replaced else {
            return false
        }
        apply(.stored(written.new))
        return true
    }

    /// Writes the user to the stored record, and leaves the rest of it as it is: a refresh in progress, here or in
    /// another process, has its journal there.
    func keepUser(in epoch: Int) async {
        guard let session = current, let user = session.record.user else { return }
        let (record, profileUpdates) = (session.record, core.profileUpdates)
        do {
            let isTakenOver = try await updateStored(
                in: epoch,
                where: { $0.isOfSameSignIn(as: record) },
                { $0.user = user }
            )
            guard isTakenOver, let known = current else { return }
            // The tokens of another process were taken over meanwhile, with the earlier user.
            if known.record.user != user, profileUpdates == core.profileUpdates { update(user, since: epoch) }
        } catch {
            guard var unsaved = try? session(in: epoch), unsaved.record.tokens.isSame(as: record.tokens)
            else { return }
            unsaved.persistenceError = SecureStoreError(cause: error)
            apply(.kept(unsaved))
            unsavedTokens.keepSaving(for: self)
        }
    }

    private enum ValidationRefresh {
        /// There is another token now.
        case done
        /// The refresh failed, and has published the consequence.
        case failed
        /// Another process holds the lock.
        ///
        /// A check continues without it.
        case delayed
    }

    @discardableResult
    private func refreshDuringValidation(_ token: AccessToken) async -> ValidationRefresh {
        do {
            if try await requireCurrent().record.tokens.accessToken == token {
                try await coordinator.refresh(promptly: true, for: self)
            }
            return .done
        } catch let error as AuthSessionError where error.code == .busy {
            logger.debug("another process is refreshing; the validation continues without")
            return .delayed
        } catch {
            logger.debug("the refresh during the validation failed")
            return .failed
        }
    }

    /// Returns the session in a store, with the backend that it was signed in at.
    ///
    /// The session may be for any server and any API: an app with several has a store for each. If the store holds no
    /// session, the tokens of earlier sign-outs are revoked first, which takes at most five seconds.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the session.
    ///   - kinds: The kinds of backend that the session may belong to.
    ///   - transport: The transport of the requests; nil for the platform's.
    ///   - timeout: The longest wait for one response of the backend.
    ///   - logger: The logger, as in ``init(backend:store:transport:timeout:logger:now:clock:background:options:)``.
    /// - Returns: The session, restored; nil if the store holds no session.
    /// - Throws: `SecureStoreError` if the store can't be read; ``SessionRecordError`` if its record can't be read, or
    ///   belongs to no such kind; `CancellationError`.
    public static func stored(
        in store: any SecureStore,
        of kinds: [AuthorityKind],
        transport: (any Transport)? = nil,
        timeout: Duration = .seconds(30),
        logger: Logger = Logger(label: "sallyport.session", factory: { _ in SwiftLogNoOpLogHandler() })
    ) async throws -> AuthSession? {
        let opened = { (authority: any TokenAuthority) in
            AuthSession(
                backend: SessionBackend(authority),
                store: store,
                transport: transport,
                timeout: timeout,
                logger: logger
            )
        }
        guard let item = try await store.item(forKey: SessionRecord.key) else {
            try await store.removePendingSignInIfOver(at: Date(), logger)
            // A session with one of the providers revokes the tokens of earlier sign-outs.
            let kept = try? PendingRevocations(try await store.item(forKey: PendingRevocations.key))
            let left = kept?.grants.lazy.compactMap { try? kinds.authority(of: $0.authority) }.first
            if let left { try await opened(left).flushPendingRevocationsBeforeSignIn() }
            return nil
        }
        guard let authority = try kinds.authority(of: try SessionRecord(item).authority) else {
            throw SessionRecordError(.otherBackend)
        }
        let session = opened(authority)
        await session.take(item)
        Task { await session.finishEarlierWork() }
        return session
    }

    /// Whether the store was read, or a user has signed in or out.
    var isKnown: Bool {
        // A sign-in that is still being written is known, even if the store holds another session.
        if current != nil { return true }
        return switch state {
        case .restoring, .locked: false
        case .signedOut, .signedIn: true
        }
    }

    private func take(_ item: SecretBytes) {
        do throws(SessionRecordError) {
            let record = try SessionRecord(item, of: authority)
            guard !record.isForeign else { throw SessionRecordError(.otherBackend) }
            apply(.restored(currentSession(record, from: item)))
        } catch {
            // The record stays in the store: a newer version of the app may have written it and may read it again.
            logger.warning("the stored session can't be read (\(error.code))")
            publish(.signedOut(.unreadableRecord(error.code)))
        }
    }

    /// Publishes that the server can't be reached or did not respond.
    ///
    /// - Parameter retryAfter: The wait that the server requested.
    func publishOffline(comingAgainAfter retryAfter: Duration? = nil) {
        reconnectScheduler.noteRetryAfter(retryAfter)
        if case .signedIn(_, .offline) = state {
            // The pause in progress may be shorter than the requested wait.
            if retryAfter != nil { rescheduleReconnect() }
            return
        }
        publish(.signedIn(current?.record.user, .offline(since: clock.date())))
    }
}
