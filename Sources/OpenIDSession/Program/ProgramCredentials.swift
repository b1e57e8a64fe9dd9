// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
package import AuthSession
public import OpenIDConnect
public import SecureStore
import Synchronization

/// The access token of a program, without a user: requested when one is needed, kept, and replaced before it ends.
///
/// The tasks of a process share one request, and the processes that share a store. A request uses up nothing: a token
/// that is lost costs another one. After a failure the next request waits, at first a second, and up to five minutes if
/// the server asks; until then callers get the same error. A cancelled caller returns at once, and the request goes on.
///
/// The store is a convenience. If it can't be read or written, or another process holds its lock for long, this process
/// requests a token of its own, and the log says so.
///
///     let credentials = ProgramCredentials(at: provider, for: target, keptIn: try KeyringStore(service: "jobs"))
///     let client = APIClient(baseURL: api, authenticatedBy: credentials)
///
/// The calls throw `OpenIDError` if no token can be had, `AuthSessionError` (`tooManyRefreshes` after 60 requests in a
/// minute), and `CancellationError`.
public actor ProgramCredentials: AccessTokenSource, Redacted {
    private nonisolated let provider: OpenIDProvider
    private nonisolated let target: TokenTarget
    private let grant: ProgramGrant
    private let usesDPoP: Bool
    private let store: ProgramTokenStore?
    private nonisolated let clock: SessionClock
    private nonisolated let held = Mutex<Held?>(nil)
    /// The request in progress.
    private var flight: Promise<Held>?
    private var failure: (error: any Error, until: Duration)?
    private var failures = 0
    private var sent: [Duration] = []

    /// A token in memory.
    private struct Held: Sendable {
        let tokens: TokenSet
        let credential: AccessCredential
        let deadline: TokenDeadline
    }

    /// What a caller's token must be.
    private struct Need: Sendable {
        var rejected: AccessToken?
        var span = Duration.zero
        /// Whether an earlier failure doesn't count.
        var isForced = false
    }

    /// Creates the credentials, and reads and sends nothing.
    ///
    /// Client credentials need a confidential client.
    ///
    /// - Parameters:
    ///   - target: The API that the token is for, and its scope; an empty target for the server's choice.
    ///   - usesDPoP: Whether the token is bound to a key ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)), which is
    ///     kept with it.
    ///   - store: The store that other processes share; nil to keep the token in memory. One item holds the tokens of
    ///     all programs and APIs, each under the digest of what it is.
    public init(
        _ grant: ProgramGrant = .clientCredentials,
        at provider: OpenIDProvider,
        for target: TokenTarget = TokenTarget(),
        usesDPoP: Bool = false,
        keptIn store: (any SecureStore)? = nil
    ) {
        self.init(grant, at: provider, for: target, usesDPoP: usesDPoP, keptIn: store, lock: .ofTheStore)
    }

    /// Creates the credentials with a given lock, for tests.
    package init(
        _ grant: ProgramGrant,
        at provider: OpenIDProvider,
        for target: TokenTarget,
        usesDPoP: Bool,
        keptIn store: (any SecureStore)?,
        lock: LockPolicy
    ) {
        (self.grant, self.provider, self.target, self.usesDPoP) = (grant, provider, target, usesDPoP)
        clock = SessionClock(date: provider.settings.now, monotonic: provider.settings.clock)
        let names = ProgramTokenStore.Names(grant, provider, target, usesDPoP: usesDPoP)
        self.store = store.map { ProgramTokenStore(store: $0, names: names, lock: lock, provider.settings.logger) }
    }

    public nonisolated var freshCredential: AccessCredential? {
        held.withLock { $0 }.flatMap { suits($0, Need()) ? $0.credential : nil }
    }

    /// The origins of the target's `resources`, or of the provider's profile if the target names no API.
    public nonisolated var allowedOrigins: Set<String>? { TokenSet.origins(of: resources) }

    public func credential() async throws -> AccessCredential { try await current(Need()).credential }

    public func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
        try await current(Need(rejected: rejected)).credential
    }

    /// Returns the token to send now, with its lifetime and scope.
    ///
    /// - Throws: Also `AuthSessionError` (`lifetimeTooShort` if no token is valid for the time span).
    public func tokens(validFor span: Duration = .zero) async throws -> TokenSet {
        let held = try await current(Need(span: span))
        // A new token that is over when it comes is used once.
        guard span <= .zero || held.deadline.lives(for: span, from: clock.uptime()) else {
            throw AuthSessionError(.lifetimeTooShort)
        }
        return held.tokens
    }

    /// Returns the token of ``tokens(validFor:)``.
    public func accessToken(validFor span: Duration = .zero) async throws -> AccessToken {
        try await tokens(validFor: span).accessToken
    }

    /// The token in memory or in the store, which may have ended; no request is sent.
    public var knownTokens: TokenSet? {
        get async {
            if let held = held.withLock({ $0 }) { return held.tokens }
            return await store?.tokens().map { taken($0).tokens }
        }
    }

    /// Requests another token now, also shortly after a failure; if that fails, the present one stays.
    @discardableResult
    public func renew() async throws -> TokenSet {
        let rejected = await knownTokens?.accessToken
        return try await current(Need(rejected: rejected, isForced: true)).tokens
    }

    /// Exchanges the token for one for another API, which is not kept.
    ///
    /// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    public func exchange(for target: TokenTarget) async throws -> TokenSet {
        let tokens = try await tokens()
        return try await provider.exchanged(tokens.accessToken, for: target, dpopKey: tokens.dpopKey)
    }

    /// Forgets a token that a server rejected, here and in the store; sends nothing.
    ///
    /// - Throws: `SecureStoreError`; `CancellationError`.
    public func invalidate(_ rejected: AccessToken) async throws {
        held.withLock { if $0?.tokens.accessToken == rejected { $0 = nil } }
        try await store?.remove { $0.accessToken == rejected }
    }

    /// Forgets the tokens of this program for all APIs, here and in the store, and then revokes them.
    ///
    /// - Throws: `SecureStoreError` if they may still be in the store; `OpenIDError` of the first revocation that
    ///   failed (`unsupported` without a revocation endpoint); `CancellationError`.
    public func revoke() async throws {
        // A request in progress would bring another token.
        _ = try? await flight?.value()
        let known = held.withLock { held in
            defer { held = nil }
            return held?.tokens.accessToken
        }
        let stored = try await store?.remove { _ in true } ?? []
        var failure: (any Error)?
        for token in [known].compactMap(\.self) + stored.map(\.accessToken).filter({ $0 != known }) {
            do { try await provider.revoke(token) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Removes the tokens of all programs from a store, without a revocation.
    ///
    /// - Throws: `SecureStoreError`; `CancellationError`.
    public static func removeStored(in store: any SecureStore) async throws {
        try await store.removeItem(forKey: ProgramTokenStore.key)
    }

    private func current(_ need: Need) async throws -> Held {
        while true {
            let known = held.withLock { $0 }
            if let known, suits(known, need) { return known }
            do {
                let (flight, isOwn) = try join(need)
                let new = try await flight.value()
                if isOwn || suits(new, need) { return new }
            } catch {
                guard !(error is CancellationError), !need.isForced, let known,
                    known.tokens.accessToken != need.rejected,
                    known.deadline.lives(for: max(need.span, .seconds(1)), from: clock.uptime())
                else { throw error }
                // It is still valid, although another one is due.
                return known
            }
        }
    }

    /// Returns the request in progress, or begins one.
    private func join(_ need: Need) throws -> (flight: Promise<Held>, isOwn: Bool) {
        if let flight { return (flight, false) }
        if !need.isForced, let failure, clock.uptime() < failure.until { throw failure.error }
        let flight = Promise<Held>()
        self.flight = flight
        Task {
            let result: Result<Held, any Error>
            do {
                let new = try await obtain(need)
                held.withLock { $0 = new }
                (failure, failures) = (nil, 0)
                result = .success(new)
            } catch {
                let asked = min((error as? OpenIDError)?.retryAfter ?? .zero, .seconds(300))
                failure = (error, clock.uptime() + max(.seconds(min(1 << min(failures, 5), 30)), asked))
                failures += 1
                result = .failure(error)
            }
            self.flight = nil
            flight.finish(result)
        }
        return (flight, true)
    }

    /// Takes another process's token, or requests one while the others wait.
    private func obtain(_ need: Need) async throws -> Held {
        guard let store else { return try await request() }
        if let known = await store.tokens().map({ taken($0) }), suits(known, need) { return known }
        return try await store.whileLocked {
            let known = await store.tokens().map { taken($0) }
            if let known, suits(known, need) { return known }
            let new = try await request(by: known?.tokens.dpopKey)
            await store.save(new.tokens, at: clock.date())
            return new
        }
    }

    /// Requests a token, once more if the response is lost: the same request gets another.
    private func request(by known: DPoPKey? = nil) async throws -> Held {
        let key = usesDPoP ? known ?? held.withLock { $0?.tokens.dpopKey } ?? DPoPKey() : nil
        do {
            return try await send(key)
        } catch let error as OpenIDError where error.code == .unreachable && error.mayHaveReachedServer {
            return try await send(key)
        }
    }

    private func send(_ key: DPoPKey?) async throws -> Held {
        let reading = clock.reading()
        sent.removeAll { reading.uptime - $0 >= .seconds(60) }
        // A server whose new tokens are rejected would otherwise be asked endlessly.
        guard sent.count < 60 else { throw AuthSessionError(.tooManyRefreshes) }
        sent.append(reading.uptime)
        var tokens = try await provider.tokens(for: target, by: grant, dpopKey: key)
        tokens.dpopKeyBytes = key?.bytes
        tokens.resources = resources
        tokens.lifetime.noteBootTime(at: reading)
        return hold(tokens, at: reading)
    }

    /// Returns the store's token; one that this process has measured already does not begin again.
    private nonisolated func taken(_ tokens: TokenSet) -> Held {
        if let held = held.withLock({ $0 }), held.tokens.accessToken == tokens.accessToken { return held }
        return hold(tokens, at: clock.reading())
    }

    private nonisolated func hold(_ tokens: TokenSet, at reading: ClockReading) -> Held {
        var tokens = tokens
        tokens.lifetime = tokens.lifetime.restated(at: reading)
        var credential = provider.credential(for: tokens)
        credential.allowedOrigins = allowedOrigins
        let deadline = TokenDeadline(tokens.lifetime, at: reading, window: .shortLivedToken, early: 0)
        return Held(tokens: tokens, credential: credential, deadline: deadline)
    }

    private nonisolated var resources: [String] {
        target.audiences.isEmpty && target.resources.isEmpty ? provider.profile.resources : target.resources
    }

    private nonisolated func suits(_ held: Held, _ need: Need) -> Bool {
        let now = clock.uptime()
        return held.tokens.accessToken != need.rejected && held.deadline.isFresh(at: now)
            && held.deadline.lives(for: need.span, from: now)
    }
}
