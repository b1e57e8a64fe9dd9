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
        guard !isKnown, core.clearsInFlight == 0 else {
            // The earlier restore did not ask the server.
            if validating, current != nil, !core.hasAskedServer {
                modify { $0.noteServerAsked() }
                Task { await validate() }
                Task { await checkAppleCredential() }
            }
            return
        }
        let epoch = self.epoch
        let item: SecretBytes?
        do {
            item = try await repository.item()
        } catch {
            guard isCurrent(epoch), !isKnown, !(error is CancellationError) else { return }
            let error = SecureStoreError(cause: error)
            logger.debug("the store can't be read now (\(error.code))")
            return publish(.locked(error))
        }
        // A user signed in, or another call restored the session, during the read.
        guard isCurrent(epoch), !isKnown else { return }
        if let item { restore(item) } else { publish(.signedOut(.noSession)) }
        guard validating else { return }
        if current != nil {
            modify { $0.noteServerAsked() }
            // The store has just been read.
            Task { await askServer() }
            Task { await checkAppleCredential() }
        }
        Task { await finishEarlierWork() }
    }

    private func restore(_ item: SecretBytes) {
        do throws(SessionRecordError) {
            let record = try SessionRecord(item, of: authority)
            guard !record.isForeign else { throw SessionRecordError(.otherBackend) }
            let session = currentSession(record, from: item)
            apply { $0.restore(session) }
        } catch {
            // The record stays in the store: a newer version of the app may have written it and may read it again.
            logger.warning("the stored session can't be read (\(error.code))")
            publish(.signedOut(.unreadableRecord(error.code)))
        }
    }

    /// Finishes the work that earlier processes left: expired pending sign-ins, and pending revocations.
    private func finishEarlierWork() async {
        await removeOverdueSignIns()
        if authority.policy.signOut.isRevocation { await revokeEndedSessions() }
    }

    /// Removes pending sign-ins that no process can complete any more.
    ///
    /// A restore and the beginning of a sign-in call this. ``signOut()`` removes every pending sign-in.
    package func removeOverdueSignIns() async {
        let (logger, now) = (logger, clock.date())
        // An error of the store is logged, and the next restore then removes them.
        try? await repository.write { try await $0.removePendingSignInIfOver(at: now, logger) }
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
        modify { $0.noteServerAsked() }
        // Another process may have signed out at a backend that has no call for it.
        _ = try? await adoptStored(in: epoch)
        if isCurrent(epoch) { await askServer() }
        return state
    }

    /// Refreshes the current session if that is due, and asks the server about it if it can tell.
    private func askServer() async {
        let epoch = self.epoch
        guard let before = current else { return }
        // Presented again after the server's window, the old token would look like a thief's. The current access token
        // still works.
        let freshness = before.deadline.freshness(at: clock.uptime())
        let mayRefresh = !isPastReplay(before) || freshness == .expired
        var isRefusalExpected = false
        if mayRefresh, freshness != .fresh || isReplayDue(before) {
            let refresh = await refreshDuringValidation(before.record.tokens.accessToken)
            // An expired token would be refused even if the session is valid.
            let hasEnded = before.deadline.hasEnded(at: clock.uptime())
            if refresh == .failed, hasEnded || isRetryAfterInForce { return }
            // Another process is refreshing. A response still shows that the server can be reached.
            isRefusalExpected = hasEnded && refresh == .delayed
        }
        guard let asked = try? session(in: epoch) else { return }
        let profileUpdates = core.profileUpdates
        switch await authority.validate(asked.record.tokens, of: asked.record.user) {
        case .valid(let user):
            guard let known = try? session(in: epoch).record else { return }
            // The response may be older than a change of the profile during the request.
            let isLatest = profileUpdates == core.profileUpdates
            apply { $0.confirm(isLatest ? user : nil) }
            if current?.record.user != known.user { await keepUser(in: epoch) }
        case .inconclusive, nil:
            guard (try? session(in: epoch)) != nil, case .signedIn(_, .offline) = state else { return }
            // Only a refresh shows whether a server that was away is back.
            if mayRefresh {
                await refreshDuringValidation(asked.record.tokens.accessToken)
            } else {
                apply { $0.confirm() }
            }
        case .rejected(let error, let endsSession):
            // Another process may have replaced the tokens. The response was then about the old ones.
            do {
                guard try await adoptStored(in: epoch) == nil,
                    try session(in: epoch).record.tokens.isSame(as: asked.record.tokens)
                else { return }
            } catch {
                return
            }
            if isRefusalExpected {
                apply { $0.confirm() }
            } else if endsSession {
                // If another process was faster, the next check finds out.
                _ = await end(error)
            } else {
                await refreshDuringValidation(asked.record.tokens.accessToken)
            }
        case .unavailable(let error):
            if (try? session(in: epoch)) != nil { publishOffline(comingAgainAfter: error.retryAfter) }
        case .unknown:
            logger.debug("the validation was inconclusive")
        }
    }

    private enum ValidationRefresh {
        /// There is another token now.
        case done
        /// The refresh failed, and has published the consequence, if any.
        case failed
        /// Another process holds the lock. A check continues without it.
        case delayed
    }

    @discardableResult
    private func refreshDuringValidation(_ token: AccessToken) async -> ValidationRefresh {
        do {
            if try await requireCurrent().record.tokens.accessToken == token { try await refreshAnew(promptly: true) }
            return .done
        } catch let error as AuthSessionError where error.code == .busy {
            logger.debug("another process is refreshing; the validation continues without")
            return .delayed
        } catch {
            logger.debug("the refresh during the validation failed")
            return .failed
        }
    }

    /// Publishes that the server can't be reached or did not respond, and perhaps requested a wait.
    func publishOffline(comingAgainAfter retryAfter: Duration? = nil) {
        reconnection.backoff.noteRetryAfter(retryAfter, at: clock.uptime())
        if case .signedIn(_, .offline) = state {
            // The pause in progress may be shorter than the requested wait.
            if retryAfter != nil { rescheduleReconnect() }
            return
        }
        publish(.signedIn(current?.record.user, .offline(since: clock.date())))
    }

    /// Returns the session in a store, with the backend that it was signed in at, restored; nil if it holds none.
    ///
    /// The session may be for any server and any API: an app with several has a store for each. If the store holds no
    /// session, the tokens of earlier sign-outs are revoked first, which takes at most five seconds.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of backend that the session may belong to.
    /// - Throws: `SecureStoreError` if the store can't be read; ``SessionRecordError`` if its record can't be read, or
    ///   belongs to no such kind; `CancellationError`.
    public static func stored(
        in store: any SecureStore,
        of kinds: [AuthorityKind],
        transport: (any Transport)? = nil,
        timeout: Duration = .seconds(30),
        logger: Logger = Logger(label: "sallyport.session", factory: { _ in SwiftLogNoOpLogHandler() }),
        options: SessionOptions = SessionOptions()
    ) async throws -> AuthSession? {
        let opened = { (authority: any TokenAuthority) in
            AuthSession(
                backend: SessionBackend(authority, revokingAt: kinds),
                store: store,
                transport: transport,
                timeout: timeout,
                logger: logger,
                options: options
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
        await session.restore(item)
        Task { await session.finishEarlierWork() }
        return session
    }
}
