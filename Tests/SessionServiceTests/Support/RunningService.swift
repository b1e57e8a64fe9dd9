// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
import AuthCore
import AuthSession
import AuthTesting
import ServiceLifecycleTestKit
import SessionService

/// A service that runs in a task, as in a service group.
struct RunningService {
    private let base: TestClock
    private let clock: ObservedClock
    private let task: Task<Void, Never>
    private let end: Promise<Void>
    private let trigger: GracefulShutdownTestTrigger

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - clock: The clock of the session and of the service.
    ///   - signIn: The sign-in of the program.
    /// - Returns: The service.
    static func start(
        _ session: AuthSession,
        on clock: TestClock,
        signIn: (@Sendable () async throws -> Void)? = nil
    ) async -> RunningService {
        let observed = ObservedClock(clock)
        let end = Promise<Void>()
        let service = SessionRefreshService(session: session, clock: observed, signIn: signIn)
        return await testGracefulShutdown { trigger in
            let task = Task {
                await service.run()
                end.finish(.success(()))
            }
            return RunningService(base: clock, clock: observed, task: task, end: end, trigger: trigger)
        }
    }

    /// The number of the service's sleeps so far.
    var sleeps: Int { clock.sleeps }

    /// Whether the service has returned.
    var hasEnded: Bool { end.isFinished }

    /// Moves the clock by seconds, and waits after each of them until the service sleeps.
    func pass(_ seconds: Int) async {
        for _ in 0..<seconds {
            await asleep()
            base.advance(by: .seconds(1))
        }
        await asleep()
    }

    private func asleep() async {
        while !clock.isAsleep { await Task.yield() }
    }

    /// Begins to end the service, by a graceful shutdown or by a cancellation.
    func stop(byCancellation: Bool = false) {
        if byCancellation { task.cancel() } else { trigger.triggerGracefulShutdown() }
    }

    /// Waits until the service has returned.
    func ended() async { await task.value }
}
#endif
