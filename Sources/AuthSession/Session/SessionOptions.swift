// SPDX-License-Identifier: Apache-2.0

/// The automatic actions and the hooks of a session.
///
/// The defaults suit an app. Hooks named `did...` are called one after another, and the session waits for none of them.
public struct SessionOptions: Sendable {
    /// Whether an offline or locked session reconnects by itself, with growing pauses.
    public var reconnectsAutomatically = true
    /// The maximum number of times that a sign-in is sent to an app's own backend, a second apart, while it is
    /// unavailable.
    package var signInAttempts = 3
    /// The hook that is called after a user signs in, here or in place of another user in another process.
    ///
    /// Use it to register for notifications again, for example.
    public var didSignIn: (@Sendable (SessionUser?) async -> Void)?
    /// The hook that is called after a session is read from the store, at most once per session object.
    ///
    /// A locked store delays it until the session is read. It is not called for a sign-in, a refresh, a reconnection or
    /// a repeated restore. The server may not have been asked yet, and the user is nil if it has never named the user.
    public var didRestore: (@Sendable (SessionUser?) async -> Void)?
    /// The hook that is called before the user is signed out, while requests are still sent for the user.
    ///
    /// The session waits for it for at most five seconds. It does not wait for hooks named `did...`, so these may sign
    /// the user out. Not called if the server ends the session or another sign-in replaces it: sign out first.
    public var willSignOut: (@Sendable () async -> Void)?
    /// The hook that is called after the user is signed out for any reason, including replacement by another user.
    public var didSignOut: (@Sendable (SignedOutReason) async -> Void)?

    /// The question to Apple's system whether the app may still use the Apple Account of a user; nil asks nothing.
    ///
    /// It is asked behind a restore that validates, which does not wait for it, and by
    /// ``AuthSession/checkAppleCredential()``. On Apple systems, set it to `AppleCredentialState.current(of:)` of the
    /// module `AuthUI`. Gets the user identifier of the Apple Account, and may throw.
    public var appleCredentialState: (@Sendable (_ userIdentifier: String) async throws -> AppleCredentialState)?

    /// The refresh in another process, which a kill of this one does not end; nil refreshes in this process.
    ///
    /// Called for a refresh that may use up its token, if other processes can read the session's store. The other
    /// process opens the same session and calls ``AuthSession/carryOut(_:)``. The hook returns true once that has
    /// returned, or throws its error, or `refreshOutcomeUnknown` if the process ended without a word. It returns false if
    /// that process has certainly sent nothing, and this one then refreshes. It is not cancelled with a caller.
    public var delegateRefresh: (@Sendable (DelegatedRefresh) async throws(AuthSessionError) -> Bool)?

    /// The observers of the session's events; none by default.
    ///
    /// `SessionMetrics` and `SessionTracing` are two, each behind a trait of the package.
    public var observers: [any SessionObserver] = []

    /// Creates options with their defaults.
    public init() {}

    /// The options of a session that does nothing by itself, for tests and simulations that count events.
    package static let still: SessionOptions = {
        var options = SessionOptions()
        options.reconnectsAutomatically = false
        options.signInAttempts = 1
        return options
    }()
}

/// The state of an app's use of an Apple Account, as Apple's system tells it.
///
/// The cases of `ASAuthorizationAppleIDProvider.CredentialState`.
public enum AppleCredentialState: Sendable, Hashable {
    /// The app may use the account.
    case authorized
    /// The user, or Apple, has revoked the use of the account.
    case revoked
    /// The device does not know the account, for example after a restored backup or with another Apple Account.
    case notFound
    /// The app was transferred to another team, and the account's identifier has changed.
    case transferred
}

extension SessionOptions {
    /// Tells the observers of an event; without observers, creates none.
    func observe(_ event: @autoclosure () -> SessionEvent) {
        guard !observers.isEmpty else { return }
        let event = event()
        for observer in observers { observer.observe(event) }
    }
}
