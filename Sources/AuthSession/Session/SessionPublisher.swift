// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Synchronization

/// The publisher of the session's state and tokens.
///
/// Holds what is read without entering the session's actor, the streams of states, and the order of the app's hooks. It
/// makes no decisions. Only the session's actor publishes, so the order is the actor's.
final class SessionPublisher: Sendable {
    private struct Content {
        var state = SessionState.restoring
        var tokens: TokenSet?
        var credential: AccessCredential?
        var freshUntil = Duration.zero
        var streams: [Int: AsyncStream<SessionState>.Continuation] = [:]
        var nextStream = 0
        var lastHook: Task<Void, Never>?
        /// Whether the hooks have learned of the signed-in user's departure while the successor is still being written.
        var isSignOutNotified = false
    }

    private let content = Mutex(Content())
    private let authority: any TokenAuthority
    private let options: SessionOptions

    init(of authority: any TokenAuthority, _ options: SessionOptions) {
        (self.authority, self.options) = (authority, options)
    }

    deinit {
        // No further change can come, so the streams end.
        for stream in content.withLock({ $0.streams }).values { stream.finish() }
    }

    // MARK: Reading

    var state: SessionState { content.withLock { $0.state } }

    var tokens: TokenSet? { content.withLock { $0.tokens } }

    /// A stream of all states, without a gap.
    ///
    /// It gets the current state and is registered under one lock, under which each change is yielded,
    /// too. A yield calls no code of the app's: it keeps the state, and resumes the reader's task.
    var states: AsyncStream<SessionState> {
        AsyncStream { stream in
            let number = content.withLock { content in
                defer { content.nextStream += 1 }
                content.streams[content.nextStream] = stream
                stream.yield(content.state)
                return content.nextStream
            }
            stream.onTermination = { [weak self] _ in
                self?.content.withLock { _ = $0.streams.removeValue(forKey: number) }
            }
        }
    }

    func freshCredential(at uptime: Duration) -> AccessCredential? {
        content.withLock { uptime < $0.freshUntil ? $0.credential : nil }
    }

    /// The origins that the published tokens may go to; nil if their user decides, or if there are no tokens.
    var allowedOrigins: Set<String>? { content.withLock { $0.credential?.allowedOrigins } }

    /// Returns the credential of the given tokens, with their own key, even if other tokens are published.
    func credential(for tokens: TokenSet) -> AccessCredential {
        let known: AccessCredential? = content.withLock { content in
            guard let shown = content.tokens, shown.accessToken == tokens.accessToken,
                shown.dpopKeyBytes == tokens.dpopKeyBytes, shown.resources == tokens.resources
            else { return nil }
            return content.credential
        }
        // Outside of the lock: the authority may be an app's own code.
        if let known { return known }
        var credential = authority.credential(for: tokens)
        credential.allowedOrigins = TokenSet.origins(of: tokens.resources)
        return credential
    }

    // MARK: Publishing

    /// Publishes a state and tokens, which are handed out without entering the actor until a time.
    ///
    /// - Returns: Whether the state has changed.
    func publish(_ state: SessionState, _ tokens: TokenSet?, freshUntil: Duration) -> Bool {
        let credential = tokens.map { self.credential(for: $0) }
        let before = content.withLock { content in
            defer { content.state = state }
            (content.tokens, content.credential, content.freshUntil) = (tokens, credential, freshUntil)
            if state != content.state { for stream in content.streams.values { stream.yield(state) } }
            return content.state
        }
        guard state != before else { return false }
        switch (before, state) {
        case (.signedIn, .signedOut(let reason)):
            let isNotified = content.withLock { content in
                defer { content.isSignOutNotified = false }
                return content.isSignOutNotified
            }
            if !isNotified { notifySignedOut(because: reason) }
        case (.signedIn(_, .offline), .signedIn(_, .online)): options.observe(.cameOnline)
        case (.signedIn(_, .offline), .signedIn(_, .offline)): break
        case (_, .signedIn(_, .offline)): options.observe(.wentOffline)
        case (_, .signedOut(.unreadableRecord(let code))): options.observe(.sessionEnded(.unreadableRecord(code)))
        default: break
        }
        return true
    }

    func show(_ tokens: TokenSet?, freshUntil: Duration) {
        _ = publish(state, tokens, freshUntil: freshUntil)
    }

    // MARK: Hooks

    /// Tells the hooks that another user's sign-in, which is still to be written, replaced the signed-in user.
    func notifyReplaced() {
        content.withLock { $0.isSignOutNotified = true }
        notifySignedOut(because: .userSignedOut)
    }

    /// Tells the hooks that a user has signed in here, and that this session is in effect.
    func notifyWritten(_ user: SessionUser?) {
        content.withLock { $0.isSignOutNotified = false }
        notifySignedIn(user)
    }

    /// Tells the hooks that another user has signed in, in another process.
    func notifyReplacedElsewhere(by user: SessionUser?) {
        notifySignedOut(because: .signedOutElsewhere)
        notifySignedIn(user)
    }

    func notifyRestored(_ user: SessionUser?) {
        if let hook = options.didRestore { call { await hook(user) } }
    }

    private func notifySignedIn(_ user: SessionUser?) {
        if let hook = options.didSignIn { call { await hook(user) } }
    }

    private func notifySignedOut(because reason: SignedOutReason) {
        options.observe(.sessionEnded(reason))
        if let hook = options.didSignOut { call { await hook(reason) } }
    }

    /// Calls a hook after all earlier ones, without waiting for it.
    private func call(_ hook: @escaping @Sendable () async -> Void) {
        content.withLock { content in
            content.lastHook = Task { [previous = content.lastHook] in
                await previous?.value
                await hook()
            }
        }
    }
}
