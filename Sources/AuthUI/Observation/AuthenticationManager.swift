// SPDX-License-Identifier: Apache-2.0

public import AppBackendSession
public import AuthCore
public import AuthSession
public import Observation
import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The observable state of a session, for an app's screens.
///
/// Isolated to the main actor and observed: a screen that reads a property is redrawn when it changes. The
/// `AuthSession` behind it may be used elsewhere at the same time, and its changes appear here too.
@MainActor
@Observable
public final class AuthenticationManager {
    /// The session.
    @ObservationIgnored public let session: AuthSession
    /// The function that picks ``errorMessage`` for an error; nil for an error that is not shown.
    @ObservationIgnored public let message: @Sendable (any Error) -> String?
    /// The session's state.
    public private(set) var state: SessionState
    /// Whether the user has to wait for a restore, a sign-in or a sign-out.
    ///
    /// For a sign-out, true until the session has ended here. The request to the server continues afterwards.
    public var isLoading: Bool { state == .restoring || running > 0 || signingOut != nil }
    /// The last error as one sentence for the user, or nil if there was no error.
    ///
    /// A cancelled sign-in is not reported as an error.
    public private(set) var errorMessage: String?

    private var running = 0
    /// The number of the sign-out in progress that has not ended the session yet.
    private var signingOut: Int?
    @ObservationIgnored private var signOuts = 0
    @ObservationIgnored private let device: DeviceInfo?
    @ObservationIgnored private let endSession: @Sendable (AuthSession) async -> SignOutResult
    @ObservationIgnored var appleAttempt: AppleSignInAttempt?
    @ObservationIgnored private var watching: Task<Void, Never>?

    /// Creates a manager that follows the session until it is deallocated.
    ///
    /// - Parameters:
    ///   - device: The device information that the backend gets at a sign-in with a password. If nil, that
    ///     sign-in fails.
    ///   - message: The function that picks ``errorMessage``, for sentences of the app's own. By default,
    ///     ``message(for:role:)``.
    ///   - signingOut: The closure that signs out. A session at an OpenID provider may also show the provider's page to
    ///     sign out, by one of the methods `signOut(using:)` of the module `OpenIDSession`. They end the session here
    ///     first. By default, `AuthSession.signOut()`.
    public init(
        session: AuthSession,
        device: DeviceInfo? = nil,
        message: @escaping @Sendable (any Error) -> String? = { AuthenticationManager.message(for: $0) },
        signingOut: @escaping @Sendable (AuthSession) async -> SignOutResult = { await $0.signOut() }
    ) {
        self.session = session
        self.message = message
        self.device = device
        endSession = signingOut
        state = session.state
        let states = session.states
        watching = Task { [weak self] in
            for await _ in states {
                guard let self else { return }
                follow()
            }
        }
    }

    deinit {
        watching?.cancel()
    }

    /// Whether a user is signed in, online or offline.
    public var isAuthenticated: Bool {
        if case .signedIn = state { true } else { false }
    }

    /// The signed-in user, or nil if no user is signed in or the server has not named the user.
    public var currentUser: SessionUser? {
        if case .signedIn(let user, _) = state { user } else { nil }
    }

    /// Whether a user is signed in and the last attempt to reach the server failed.
    public var isOffline: Bool { offlineSince != nil }

    /// The time since which the server can't be reached, or nil if it is reachable or no user is signed in.
    public var offlineSince: Date? {
        if case .signedIn(_, .offline(let since)) = state { since } else { nil }
    }

    /// Reads the session from the store, at launch; the server is asked in the background.
    ///
    /// A session that is known already is not read again.
    public func restore() async {
        await session.restore()
    }

    /// Signs in with an e-mail address and a password.
    ///
    /// Errors appear in ``errorMessage``.
    ///
    /// - Parameters:
    ///   - password: The password. Secret; not stored.
    ///   - rememberMe: Whether the session is persisted. If false, it stays in memory and ends with the process.
    public func signIn(email: String, password: Password, rememberMe: Bool = true) async {
        await run {
            guard let device = self.device else { throw AuthSessionError(.contractMismatch) }
            try await self.session.signIn(email: email, password: password, rememberMe: rememberMe, device: device)
        }
    }

    /// Signs in with a closure of the app's own, for example at a provider.
    ///
    /// Errors appear in ``errorMessage``.
    public func signIn(_ signIn: @Sendable (AuthSession) async throws -> Void) async {
        await run { try await signIn(self.session) }
    }

    /// Changes the user's profile at the app's own backend, to complete it with `SessionUser.missing` for example.
    ///
    /// Errors appear in ``errorMessage``.
    ///
    /// - Parameters:
    ///   - name: The user's name; nil to leave it unchanged.
    ///   - phoneNumber: The telephone number; nil to leave it unchanged.
    public func updateProfile(name: String? = nil, phoneNumber: String? = nil) async {
        await run { try await self.session.updateProfile(name: name, phoneNumber: phoneNumber) }
    }

    /// Signs out; the session here ends in any case.
    ///
    /// If the manager was given a page to sign out at a provider, returns once the page is closed. ``isLoading`` is
    /// false before.
    public func signOut() async {
        follow()
        signOuts += 1
        let number = signOuts
        signingOut = isSignedOut ? nil : number
        errorMessage = nil
        let result = await endSession(session)
        follow()
        if signingOut == number { signingOut = nil }
        // Not shown to a user who has signed in meanwhile.
        if let error = result.storeError, !isAuthenticated {
            errorMessage = [isSignedOut ? "Signed out here." : nil, message(error)].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    private var isSignedOut: Bool {
        if case .signedOut = state { true } else { false }
    }

    /// Clears the last error, and restores the session if that was not done, or else reconnects at once.
    public func retry() async {
        await run {
            if case .restoring = self.state { await self.session.restore() } else { await self.session.reconnect() }
        }
    }

    /// Runs work that the user waits for, and keeps its error.
    private func run(_ work: () async throws -> Void) async {
        begin()
        do {
            try await work()
            end(nil)
        } catch {
            end(error)
        }
    }

    /// Marks the start of work that the user waits for.
    func begin() {
        running += 1
        errorMessage = nil
    }

    /// Marks the end of the work, with its error if it failed.
    func end(_ error: (any Error)?) {
        errorMessage = error.flatMap { message($0) }
        // Updates the state together with the end of the waiting.
        follow()
        running -= 1
    }

    /// Reads the current state, because the states still in the stream are older and would flicker.
    private func follow() {
        let now = session.state
        if state != now { state = now }
        if isSignedOut { signingOut = nil }
    }
}
