public import APIClient
public import AuthCore
public import Logging
public import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession {
    /// Reads the session from the store and shows it at once; the server is asked behind it.
    ///
    /// Does nothing where the session is known already. A store that can't be read now makes the state
    /// ``SessionState/locked(_:)`` and signs nobody out; call it again once the store opens. Cancelled, it leaves the
    /// state as it was.
    ///
    /// - Parameter checksServer: Whether the server is asked in the background whether the session still stands.
    public func restore(checksServer: Bool = true) async {
        // What is being cleared is not taken up again.
        guard !isKnown, clearing == 0 else {
            // Who read the store first did not ask.
            if checksServer, held != nil, !hasAskedServer {
                hasAskedServer = true
                Task { await check() }
            }
            return
        }
        let begun = epoch
        let answer: Result<SecretBytes?, any Error>
        do {
            answer = .success(try await store.item(forKey: SessionRecord.key))
        } catch {
            answer = .failure(error)
        }
        // Somebody signed in, or restored, while the store was being read.
        guard begun == epoch, !isKnown else { return }
        switch answer {
        case .success(nil):
            publish(.signedOut(.neverSignedIn))
            if checksServer { Task { await finishEarlierWork() } }
        case .success(let item?):
            take(item)
            if checksServer, held != nil {
                hasAskedServer = true
                // The store has just been read.
                Task { await ask() }
            }
            if checksServer { Task { await finishEarlierWork() } }
        case .failure(is CancellationError):
            break
        case .failure(let error):
            let error = SecureStoreError(cause: error)
            logger.debug("the store can't be read now (\(error.code))")
            publish(.locked(error))
        }
    }

    /// Finishes what earlier processes have left at a provider: pending sign-ins that have expired, sign-outs not yet told.
    private func finishEarlierWork() async {
        guard backend.provider != nil else { return }
        await removeOverdueSignIn()
        await tellEndedSessions()
    }

    /// Asks the server now whether the session still stands, and whether it can be reached.
    ///
    /// Reads the store first: another process may have signed out. Refreshes where that is due. A refusal ends the session,
    /// unless the tokens were replaced meanwhile.
    ///
    /// - Returns: The state afterwards.
    @discardableResult
    public func check() async -> SessionState {
        let begun = epoch
        guard held != nil else { return state }
        hasAskedServer = true
        // Another process may have signed out, at a backend that is told nothing of it.
        _ = await reread(in: begun)
        guard begun == epoch else { return state }
        return await ask()
    }

    /// Asks the server about the session that is held.
    @discardableResult
    private func ask() async -> SessionState {
        let begun = epoch
        guard let before = held else { return state }
        var isDue = before.deadline.freshness(at: clock.uptime()) != .fresh || isReplayDue(before)
        // No other call tells whether the server can be reached again.
        if case .signedIn(_, .offline) = state, !authority.validates { isDue = true }
        // Shown again after the server's window, the old token would look like a thief's; the one in the hand still serves.
        if isPastReplay(before), before.deadline.freshness(at: clock.uptime()) != .expired { isDue = false }
        if isDue {
            let refresh = await refreshAtCheck(before.record.tokens.accessToken)
            let hasEnded = before.deadline.hasEnded(at: clock.uptime())
            switch refresh {
            case .done: break
            // An expired token would be refused whatever the session is.
            case .failed where hasEnded, .heldUp where hasEnded && authority.validates: return state
            // The server has just asked to be left alone.
            case .failed where lookPause.rest(at: clock.uptime()) > .zero: return state
            case .failed: break
            // Nobody was asked: whether the server can be reached is still to be learnt.
            case .heldUp: isDue = false
            }
        }
        guard begun == epoch, let asked = held else { return state }
        do {
            let user = try await authority.validate(asked.record.tokens, of: asked.record.user)
            // No call for it in the contract: nothing was learnt, and what the refresh published stays.
            guard begun == epoch, let held else { return state }
            // Reached, though the contract has no call that says whether the session stands.
            guard authority.validates || authority.reachesServer && !isDue else { return state }
            if let user { self.held?.record.user = user }
            publish(.signedIn(self.held?.record.user, .online))
            if user != nil, held.record.user == nil { await keepUser(in: begun) }
        } catch let error as APIError where error.code == .unauthorized && !error.refusesTheApp {
            // Another process may have replaced the tokens: then the answer was about the old ones.
            guard case .unsettled = await reread(in: begun) else { return state }
            guard begun == epoch, held?.record.tokens.isSame(as: asked.record.tokens) == true else {
                return state
            }
            if error.serverCode?.rawValue == "token_expired" || backend.provider != nil {
                // By the server's clock, or taken back by itself. It may still be exchanged for a new one, and the exchange
                // decides.
                await refreshAtCheck(asked.record.tokens.accessToken)
            } else {
                // Where another process was faster, the next check tells.
                _ = await endByServer(AuthSessionError(.sessionEnded, underlying: error))
            }
        } catch let error as APIError {
            guard begun == epoch, held != nil, !error.refusesTheApp else { return state }
            publishOffline(comingAgainAfter: error.retryAfter)
        } catch {
            logger.debug("the check was cancelled")
        }
        return state
    }

    /// Writes down who it is, where only the server's answer has told.
    private func keepUser(in begun: Int) async {
        guard let session = held, session.stored != nil, session.unsaved == nil else { return }
        let writing = await write(session, replacing: session, in: begun)
        guard begun == epoch, held?.record.tokens.isSame(as: session.record.tokens) == true else { return }
        if case .done(let written) = writing { held?.noteWrite(written) }
        if held?.unsaved != nil { keepSaving() }
    }

    private enum CheckRefresh {
        /// There is another token now.
        case done
        /// The refresh has published what its failure means.
        case failed
        /// Another process holds the lock. A check does without it.
        case heldUp
    }

    @discardableResult
    private func refreshAtCheck(_ token: AccessToken) async -> CheckRefresh {
        do {
            if try await currentHeld().record.tokens.accessToken == token {
                _ = try await join(anew: true).promptValue()
            }
            return .done
        } catch let error as AuthSessionError where error.code == .busy {
            logger.debug("another process refreshes; the check goes on without")
            return .heldUp
        } catch {
            logger.debug("the refresh at the check did not succeed")
            return .failed
        }
    }

    /// The session that a store holds, with the backend that it was signed in at.
    ///
    /// Where it holds none, providers are told of earlier sign-outs first that they could not be told of before, for five
    /// seconds at most.
    ///
    /// - Parameters:
    ///   - store: Where the session is kept.
    ///   - apiKey: The app's API key, where it is another one than at the sign-in. Secret.
    ///   - transport: What carries the requests; nil for the platform's.
    ///   - timeout: The longest wait for one answer of the backend.
    ///   - logger: As in ``init(backend:store:transport:timeout:logger:now:clock:background:)``.
    /// - Returns: The session, restored; nil where the store holds none.
    /// - Throws: `SecureStoreError` where the store can't say; ``SessionRecordError`` where what it holds can't be read;
    ///   `CancellationError`.
    public static func stored(
        in store: any SecureStore,
        apiKey: APIKey? = nil,
        transport: (any Transport)? = nil,
        timeout: Duration = .seconds(30),
        logger: Logger = Logger(label: "sallyport.session", factory: { _ in SwiftLogNoOpLogHandler() })
    ) async throws -> AuthSession? {
        guard let item = try await store.item(forKey: SessionRecord.key) else {
            do {
                try await PendingAuthorization.removeIfOver(in: store, at: Date())
            } catch let error where !(error is CancellationError) {
                logger.debug("a pending sign-in that has expired can't be removed now")
            }
            try await tellEndedSessions(in: store, transport: transport, timeout: timeout, logger: logger)
            return nil
        }
        let known = try SessionRecord(item).backend
        let session = AuthSession(
            backend: known.with(apiKey: apiKey),
            store: store,
            transport: transport,
            timeout: timeout,
            logger: logger
        )
        await session.take(item)
        Task { await session.finishEarlierWork() }
        return session
    }

    /// Tells providers of sign-outs that they could not be told of before, where nobody is signed in; for five seconds at
    /// most.
    private static func tellEndedSessions(
        in store: any SecureStore,
        transport: (any Transport)?,
        timeout: Duration,
        logger: Logger
    ) async throws {
        let kept = try? EndedSessions(try await store.item(forKey: EndedSessions.key))
        guard let provider = kept?.grants.lazy.compactMap({ try? $0.provider.provider() }).first else { return }
        let session = AuthSession(
            backend: .openID(provider),
            store: store,
            transport: transport,
            timeout: timeout,
            logger: logger
        )
        try await session.tellEndedSessionsBeforeSignIn()
    }

    /// Whether the store was read, or somebody has signed in or out.
    var isKnown: Bool {
        // A sign-in that is still being written is known, whatever the store holds.
        if held != nil { return true }
        return switch state {
        case .restoring, .locked: false
        case .signedOut, .signedIn: true
        }
    }

    private func take(_ item: SecretBytes) {
        do throws(SessionRecordError) {
            let record = try SessionRecord(item)
            guard record.backend.isSame(as: backend) else { throw SessionRecordError(.otherBackend) }
            held = holding(record, from: item)
            publish(.signedIn(record.user, .online))
        } catch {
            // Left where it is: a newer version of the app may have written it and read it again.
            logger.warning("the stored session can't be read (\(error.code))")
            publish(.signedOut(.unreadableRecord(error.code)))
        }
    }

    /// The server can't be reached, or has no answer.
    ///
    /// - Parameter retryAfter: When it asks to be asked again.
    func publishOffline(comingAgainAfter retryAfter: Duration? = nil) {
        lookPause.hear(retryAfter, at: clock.uptime())
        if case .signedIn(_, .offline) = state {
            // Somebody else asked, while this session waits for less than that.
            if retryAfter != nil { waitAnew() }
            return
        }
        publish(.signedIn(held?.record.user, .offline(since: clock.date())))
    }
}
