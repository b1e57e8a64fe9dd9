// SPDX-License-Identifier: Apache-2.0

public import AuthSession
public import Observation

/// The registration of this device for notifications at an app's backend, tried until the backend knows the device.
///
/// A push service names a device by a token, which the app's backend must learn after each sign-in and each launch with
/// a restored session. Set `SessionOptions.didSignIn` and `didRestore` to ask the push service for the token, and
/// `didSignOut` to call ``forget()``. Pass the token to ``register(_:)``, and let a task of the app call
/// ``run(in:sending:)``.
///
/// Each call of ``register(_:)`` is sent once. If that fails, it stays due: it is sent again as soon as the session is
/// online again, and otherwise with growing pauses of one minute to one hour.
@MainActor
@Observable
public final class DeviceRegistration {
    /// The state of the registration.
    public enum Status: Sendable, Hashable {
        /// There is no token to register: no user is signed in, or the push service has not named the device.
        case notDue
        /// The backend must learn the token, and has not confirmed it yet.
        case due
        /// The backend has confirmed the token.
        case registered
    }

    /// A reason to look whether the token is to be sent.
    private enum Wake: Sendable {
        case due
        case state(SessionState)
        case pauseEnded
    }

    private static let longestPause = Duration.seconds(3_600)

    /// The state of the registration.
    public private(set) var status = Status.notDue

    @ObservationIgnored private var token: String?
    /// The number of calls that have changed what is to be registered.
    ///
    /// A confirmation of an earlier token is of no use.
    @ObservationIgnored private var round = 0
    @ObservationIgnored private var waker: AsyncStream<Wake>.Continuation?
    @ObservationIgnored private let clock: any Clock<Duration>

    /// Creates a registration that is not due, with the clock of the pauses after failures.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    /// Makes the registration of a token due, even if the backend has confirmed the same one before.
    ///
    /// - Parameter token: The push service's name of this device, which the backend needs to reach it.
    public func register(_ token: String) {
        (self.token, status) = (token, .due)
        round += 1
        waker?.yield(.due)
    }

    /// Forgets the token after a sign-out.
    ///
    /// The backend is not told: also tell the push service to deliver nothing more to this app.
    public func forget() {
        (token, status) = (nil, .notDue)
        round += 1
    }

    /// Sends the token to the backend whenever that is due and the session is online, until the task is cancelled.
    ///
    /// Keeps the session alive meanwhile. After a failure, the session is validated, so that it learns whether the
    /// server can be reached.
    public func run(
        in session: AuthSession,
        sending send: @escaping @Sendable (_ token: String) async throws -> Void
    ) async {
        let (wakes, waker) = AsyncStream.makeStream(of: Wake.self)
        self.waker = waker
        let states = session.states
        let following = Task {
            for await state in states { waker.yield(.state(state)) }
            waker.finish()
        }
        defer { following.cancel() }
        var pause = Duration.seconds(60)
        var waiting: Task<Void, Never>?
        // The round that has failed, until the session was offline since or the pause has ended.
        var failedRound: Int?
        for await wake in wakes {
            switch wake {
            case .pauseEnded, .state(.signedIn(_, .offline)): failedRound = nil
            case .due, .state: break
            }
            let round = round
            guard status == .due, round != failedRound, let token, case .signedIn(_, .online) = session.state else {
                continue
            }
            waiting?.cancel()
            do {
                try await send(token)
                if round == self.round { status = .registered }
                pause = .seconds(60)
            } catch {
                failedRound = round
                await session.validate()
                waiting = Task { [clock, pause] in
                    guard (try? await clock.sleep(for: pause)) != nil else { return }
                    waker.yield(.pauseEnded)
                }
                pause = min(pause * 2, Self.longestPause)
            }
        }
        waiting?.cancel()
    }
}
