// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The publisher of the session's state.
///
/// Owns the snapshot that is read without entering the session's actor, the streams of states, and the order in which
/// the app's hooks are called. It makes no decisions. Confined to the session's actor.
final class SessionPublisher {
    private let snapshot: SessionSnapshot
    private let broadcast: StateBroadcast
    private let options: SessionOptions
    private let instruments: SessionInstruments
    private var lastHook: Task<Void, Never>?
    /// Whether the hooks have learned of the signed-in user's departure while the successor is still being written.
    private var isSignOutNotified = false

    init(
        _ snapshot: SessionSnapshot,
        _ broadcast: StateBroadcast,
        _ options: SessionOptions,
        _ instruments: SessionInstruments
    ) {
        self.snapshot = snapshot
        self.broadcast = broadcast
        self.options = options
        self.instruments = instruments
    }

    /// Publishes a state and tokens, to readers of the snapshot first.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - tokens: The current tokens.
    ///   - freshUntil: The time until which the tokens are handed out without entering the actor.
    /// - Returns: Whether the state has changed.
    func publish(_ state: SessionState, _ tokens: TokenSet?, freshUntil: Duration) -> Bool {
        let before = snapshot.state
        snapshot.set(state, tokens: tokens, freshUntil: freshUntil)
        guard state != before else { return false }
        broadcast.send(state)
        guard case .signedOut(let reason) = state else { return true }
        if case .signedIn = before {
            if !isSignOutNotified { notifySignedOut(because: reason) }
            isSignOutNotified = false
        } else if case .unreadableRecord = reason {
            instruments.sessionEnded(because: MeasuredOutcome(reason))
        }
        return true
    }

    /// Publishes other tokens in the same state.
    func show(_ tokens: TokenSet?, freshUntil: Duration) {
        snapshot.set(snapshot.state, tokens: tokens, freshUntil: freshUntil)
    }

    /// Tells the hooks that another user's sign-in, which is still to be written, replaced the signed-in user.
    func notifyReplaced() {
        isSignOutNotified = true
        notifySignedOut(because: .userSignedOut)
    }

    /// Tells the hooks that a user has signed in here, and that this session is in effect.
    func notifyWritten(_ user: SessionUser?) {
        isSignOutNotified = false
        notifySignedIn(user)
    }

    /// Tells the hooks that another user has signed in, in another process.
    func notifyReplacedElsewhere(by user: SessionUser?) {
        notifySignedOut(because: .signedOutElsewhere)
        notifySignedIn(user)
    }

    /// Tells the hooks that a session was read from the store.
    func notifyRestored(_ user: SessionUser?) {
        guard let didRestore = options.didRestore else { return }
        call { await didRestore(user) }
    }

    private func notifySignedIn(_ user: SessionUser?) {
        guard let didSignIn = options.didSignIn else { return }
        call { await didSignIn(user) }
    }

    private func notifySignedOut(because reason: SignedOutReason) {
        instruments.sessionEnded(because: MeasuredOutcome(reason))
        guard let didSignOut = options.didSignOut else { return }
        call { await didSignOut(reason) }
    }

    /// Calls a hook after all earlier ones, without waiting for it.
    private func call(_ hook: @escaping @Sendable () async -> Void) {
        let previous = lastHook
        lastHook = Task {
            await previous?.value
            await hook()
        }
    }
}
