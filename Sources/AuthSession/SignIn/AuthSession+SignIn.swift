// SPDX-License-Identifier: Apache-2.0

import APIClient
package import AuthCore
import Logging
import SecureStore
import Synchronization

/// A sign-in in progress.
///
/// It belongs to the session that created it.
public struct SignInTicket: Sendable {
    fileprivate let signInEpoch: Int
    fileprivate let isRemembered: Bool
    fileprivate let found: Replaced
    /// The observation of the sign-in, which ends with it; nil if another call completes the sign-in.
    fileprivate let observation: SignInObservation?

    /// Runs a part of the sign-in, and records its error.
    ///
    /// Run the whole sign-in within it, from the ticket to the end. Observers learn the first error's code or type. A
    /// sign-in that ends outside of it with an error counts as abandoned.
    ///
    /// - Throws: The errors of `work`, unchanged.
    public func observing<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            observation?.end(.init(error))
            throw error
        }
    }
}

extension AuthSession {
    /// Probes the store, so that an unusable one is reported before a user types a password or a browser opens.
    ///
    /// Reads the session, which may be in another keyring than new items would be. Also writes, reads and removes a
    /// value beside it. A sign-in by itself only reads.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    public func probeStore() async throws { _ = try await readStore { try await $0.probe() } }

    private func readStore(_ more: (any SecureStore) async throws -> Void = { _ in }) async throws -> Replaced {
        do {
            let item = try await store.item(forKey: SessionRecord.key)
            try await more(store)
            return item.flatMap { try? SessionRecord($0, of: authority) }.map { .record($0) } ?? .nothing
        } catch let error where !(error is CancellationError) {
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
    }

    /// Returns the response of an app's own backend, which is asked again a second later while it is unavailable.
    ///
    /// - Parameter isRepeatable: Whether the call works again if the backend has received it. A one-time code works once.
    /// - Throws: ``AuthSessionError`` (`signInRefused`, `unreachable`, `invalidResponse`, `superseded`);
    ///   `CancellationError`.
    package func signInResponse<Response: Sendable>(
        for ticket: SignInTicket,
        isRepeatable: Bool = true,
        _ call: @Sendable () async throws -> Response
    ) async throws -> Response {
        var attempts = 1
        while true {
            guard isInEffect(ticket) else { throw AuthSessionError(.superseded) }
            do {
                return try await call()
            } catch let error as APIError {
                let failure = AuthSessionError(signIn: error)
                guard failure.code == .unreachable, attempts < options.signInAttempts,
                    error.isAbsence(evenIfReceived: isRepeatable)
                else { throw failure }
                attempts += 1
                logger.debug("the backend can't be reached; sending the sign-in again")
                try await clock.sleep(.seconds(1))
            }
        }
    }

    /// Begins a sign-in: reads the store, so that a locked store does not waste the sign-in.
    ///
    /// For a sign-in method of another module or package, which requests tokens from its server and passes them to
    /// ``complete(_:with:user:)``, both within ``SignInTicket/observing(_:)``.
    ///
    /// - Parameter isRemembered: Whether the session is persisted. If false, it stays in memory and ends with the
    ///   process.
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    public func signInTicket(remembering isRemembered: Bool = true) async throws -> SignInTicket {
        try await signInTicket(remembering: isRemembered, isObserved: true)
    }

    /// Begins a sign-in, or only its first half, which another call completes and which is not observed.
    package func signInTicket(remembering isRemembered: Bool = true, isObserved: Bool) async throws -> SignInTicket {
        let signInEpoch = core.signInEpoch
        let observation = isObserved ? SignInObservation(options, clock) : nil
        do {
            return SignInTicket(
                signInEpoch: signInEpoch,
                isRemembered: isRemembered,
                found: isRemembered ? try await readStore() : isKnown ? .nothing : .unknown,
                observation: observation
            )
        } catch {
            observation?.end(.init(error))
            throw error
        }
    }

    private func isInEffect(_ ticket: SignInTicket) -> Bool { ticket.signInEpoch == core.signInEpoch }

    /// Returns whether a session may remain that shares a grant with the tokens of a sign-in, if the sign-in fails.
    package func mayShareGrant(_ ticket: SignInTicket) -> Bool {
        if current != nil { return true }
        return if case .nothing = found(by: ticket) { false } else { true }
    }

    /// Revokes the tokens of a sign-in that failed, unless they may share a grant with a session that remains.
    package func revokeUnused(_ tokens: TokenSet, of user: SessionUser?, from ticket: SignInTicket) {
        revokeUnused(RevocableTokens(tokens), of: user, besides: found(by: ticket))
    }

    /// Returns the session that a sign-in found in the store, unless a sign-out has removed it since.
    private func found(by ticket: SignInTicket) -> Replaced {
        guard isInEffect(ticket) else { return .nothing }
        // Another backend's tokens share no grant with this one's.
        if let record = ticket.found.record, authority.id != record.authority.id { return .nothing }
        return ticket.found
    }

    /// Completes a sign-in: stores its tokens, and revokes those of an existing session unless both may share a grant.
    ///
    /// The new tokens are revoked likewise if another sign-in, a sign-out or a cancellation of the task came first.
    ///
    /// - Parameter user: The user, if the server named one, who is returned.
    /// - Throws: ``AuthSessionError`` (`superseded`); `CancellationError`.
    @discardableResult
    public func complete(_ ticket: SignInTicket, with issued: IssuedTokens, user: SessionUser?) async throws
        -> SessionUser?
    {
        try await ticket.observing { try await complete(ticket, with: issued, user: user, appleUser: nil) }
    }

    /// Completes a sign-in; `appleUser` is Apple's identifier of a user who signed in with Apple.
    package func complete(
        _ ticket: SignInTicket,
        with issued: IssuedTokens,
        user: SessionUser?,
        appleUser: String?
    ) async throws -> SessionUser? {
        guard isInEffect(ticket), !Task.isCancelled else {
            revokeUnused(issued.tokens, of: user, from: ticket)
            try Task.checkCancellation()
            throw AuthSessionError(.superseded)
        }
        let replaced = current
        var record = SessionRecord(
            tokenGeneration: 0,
            tokens: issued.tokens,
            user: user,
            authority: authority.record,
            signIn: Hexadecimal.encode(RandomBytes.make(16)),
            appleUser: appleUser
        )
        record.noteRequest(for: issued.requestedScope)
        if let missing = record.missingScope {
            logger.warning("the server granted less scope than was requested", metadata: ["missing": "\(missing)"])
        }
        var new = CurrentSession(
            record: record,
            deadline: deadline(of: issued.tokens.lifetime, at: issued.requestedAt),
            stored: nil,
            isRemembered: ticket.isRemembered,
            replaced: replaced.map { .record($0.record) } ?? ticket.found
        )
        // The store still holds tokens that a refresh has used up. Until it holds the new ones, no other process may
        // refresh those.
        if new.isRemembered { new.persistenceError = replaced?.persistenceError }
        // From here on, the token of the earlier user is not handed out.
        apply { $0.signIn(new) }
        let epoch = self.epoch
        await write(new, insteadOf: replaced?.record, in: epoch)
        if isCurrent(epoch) { publisher.notifyWritten(user) }
        ticket.observation?.end(.success)
        return user
    }

    /// Brings the store in line with the sign-in, publishes it, and revokes the replaced tokens.
    ///
    /// They are revoked only afterwards: if the new session is not written, the next launch finds the old one.
    private func write(_ new: CurrentSession, insteadOf replaced: SessionRecord?, in epoch: Int) async {
        var found: SessionRecord?
        var isWritten = true
        if new.isRemembered {
            let saved = await repository.save(new)
            found = saved.replaced
            isWritten = saved.session.persistenceError == nil
            // The session was refreshed during the write: the newer tokens stay.
            if isCurrent(epoch), current?.record.tokens.isSame(as: new.record.tokens) == true {
                modify { $0.noteWrite(saved.session) }
            }
        } else {
            do {
                found = try await repository.empty()
                if isCurrent(epoch) { modify { $0.noteStoreEmptied() } }
            } catch {
                isWritten = false
                logger.warning("the previous session could not be removed from the store")
            }
        }
        if isCurrent(epoch) { publish(.signedIn(new.record.user, .online)) }
        if isWritten { revokeReplaced(found, replaced) } else if new.isRemembered { keepSaving() }
    }
}

extension AuthSessionError {
    /// The failure of a sign-in at an app's own backend.
    fileprivate init(signIn error: APIError) {
        let code: Code =
            switch error.code {
            case .unauthorized, .forbidden, .refused, .rateLimited: .signInRefused
            case .malformedResponse: .invalidResponse
            default: .unreachable
            }
        self.init(code, underlying: error)
    }
}

extension APIError {
    /// Whether the backend was unavailable and may be back a second later: it was unreachable, or sent a 5xx.
    fileprivate func isAbsence(evenIfReceived isReceivable: Bool) -> Bool {
        guard isReceivable || !mayHaveReachedServer else { return false }
        return switch code {
        case .serverFailed: true
        case .unreachable: (underlying as? TransportError)?.code != .insecureConnection
        default: false
        }
    }
}

/// The observation of one sign-in, from its ticket to its end.
///
/// Only the first end counts. A sign-in that the app gives up ends with this object.
final class SignInObservation: Sendable {
    private let options: SessionOptions
    private let uptime: @Sendable () -> Duration
    private let begunAt: Duration
    private let hasEnded = Mutex(false)

    init(_ options: SessionOptions, _ clock: SessionClock) {
        (self.options, uptime, begunAt) = (options, clock.uptime, clock.uptime())
    }

    deinit { end(.abandoned) }

    func end(_ result: SessionEvent.SignIn) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        if isFirst { options.observe(.signInEnded(result, after: uptime() - begunAt)) }
    }
}
