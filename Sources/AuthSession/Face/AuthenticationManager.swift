public import AuthCore
public import Observation
import OpenIDConnect
import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A session as an app's screens show it.
///
/// All on the main actor, and observed: a screen that reads a property is drawn again when it changes. Everything behind it
/// is ``AuthSession``, which others may use at the same time; what they do is seen here too.
@MainActor
@Observable
public final class AuthenticationManager {
    /// The session.
    @ObservationIgnored public let session: AuthSession
    /// How the session stands.
    public private(set) var state: SessionState
    /// Whether something is under way that the person waits for: restoring, signing in or out.
    ///
    /// A sign-out is waited for until the session has ended here: what the server is told goes on behind it.
    public var isLoading: Bool { state == .restoring || running > 0 || signingOut > 0 && !isSignedOut }
    /// What went wrong last, in one sentence for the person; nil where nothing did.
    ///
    /// A sign-in that was cancelled is none.
    public private(set) var errorMessage: String?

    private var running = 0
    private var signingOut = 0
    @ObservationIgnored private let device: DeviceInfo?
    @ObservationIgnored var appleAttempt: AppleSignInAttempt?
    @ObservationIgnored private var watching: Task<Void, Never>?

    /// Makes a manager, which follows the session until it is let go of.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - device: What the backend is told about the device at a sign-in with a password; nil where there is none.
    public init(session: AuthSession, device: DeviceInfo? = nil) {
        self.session = session
        self.device = device
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

    /// Whether somebody is signed in, online or offline.
    public var isAuthenticated: Bool {
        if case .signedIn = state { true } else { false }
    }

    /// Who is signed in; nil where nobody is, or the server has not said who.
    public var currentUser: User? {
        if case .signedIn(let user, _) = state { user } else { nil }
    }

    /// Whether somebody is signed in and the server could not be reached when it was last asked.
    public var isOffline: Bool { offlineSince != nil }

    /// Since when the server can't be reached; nil where it can, and where nobody is signed in.
    public var offlineSince: Date? {
        if case .signedIn(_, .offline(let since)) = state { since } else { nil }
    }

    /// Shows what the store holds, at launch; the server is asked behind it.
    ///
    /// Does nothing where that is known already.
    public func restore() async {
        await session.restore()
    }

    /// Signs in with an e-mail address and a password.
    ///
    /// Whatever goes wrong stands in ``errorMessage``.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - password: The password. Secret; kept nowhere.
    ///   - rememberMe: False keeps nothing on this device.
    public func signIn(email: String, password: Password, rememberMe: Bool = true) async {
        await run {
            guard let device = self.device else { throw AuthSessionError(.contractMismatch) }
            try await self.session.signIn(email: email, password: password, rememberMe: rememberMe, device: device)
        }
    }

    /// Signs in in a way of the app's own: at a provider, say.
    ///
    /// Whatever goes wrong stands in ``errorMessage``.
    ///
    /// - Parameter signIn: Signs in with the session.
    public func signIn(_ signIn: @Sendable (AuthSession) async throws -> Void) async {
        await run { try await signIn(self.session) }
    }

    /// Signs out; the session has ended here in any case.
    public func signOut() async {
        signingOut += 1
        errorMessage = nil
        let result = await session.signOut()
        follow()
        signingOut -= 1
        // Who has signed in meanwhile is not told of it.
        if let error = result.storeError, !isAuthenticated {
            errorMessage = isSignedOut ? "Signed out here. \(error.description)" : error.description
        }
    }

    private var isSignedOut: Bool {
        if case .signedOut = state { true } else { false }
    }

    /// Looks again at once at what could not be reached, and takes the last error away.
    public func retry() async {
        await run {
            if case .restoring = self.state { await self.session.restore() } else { await self.session.lookAgain() }
        }
    }

    /// Does something that the person waits for, and keeps what went wrong.
    private func run(_ work: () async throws -> Void) async {
        begin()
        do {
            try await work()
            end(nil)
        } catch {
            end(error)
        }
    }

    /// Something begins that the person waits for.
    func begin() {
        running += 1
        errorMessage = nil
    }

    /// It has ended, well or with an error.
    func end(_ error: (any Error)?) {
        errorMessage = error.flatMap { Self.message(for: $0) }
        // What the session has told by now is shown together with the end of the waiting.
        follow()
        running -= 1
    }

    /// Takes the state as it is now: what a stream still has to tell is older, and would be seen as a flicker.
    private func follow() {
        let now = session.state
        if state != now { state = now }
    }

    /// The sentence for the person; nil for what they did themselves.
    private static func message(for error: any Error) -> String? {
        switch error {
        case is CancellationError: nil
        case let error as AuthSessionError where error.code == .superseded: nil
        // The contract's sentence: what was the matter with the network helps nobody who waits to sign in.
        case let error as AuthSessionError where error.code == .unreachable: Self.unknown
        case let error as DiscoveryError where error.code == .unreachable: Self.unknown
        case let error as AuthorizationError where error.code == .cancelled: nil
        case let error as DeviceAuthorizationError where error.code == .cancelled: nil
        case let error as any LocalizedError: error.errorDescription ?? Self.unknown
        default: Self.unknown
        }
    }

    private static let unknown = "Something went wrong. Try again."
}
