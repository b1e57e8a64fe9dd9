import AuthCore
import Synchronization

/// A refresh that has been asked for: it waits for the lock among processes, and then is under way.
///
/// One that only waits has sent nothing, and may be given up for nothing.
final class RefreshFlight: Sendable {
    private enum Phase {
        case waiting
        case underWay
        case calledOff
    }

    private let phase = Mutex(Phase.waiting)
    private let result = SharedResult<AccessToken>()
    private let promptResult = SharedResult<AccessToken>()

    /// The result, however long another process holds the lock.
    ///
    /// - Throws: What the refresh ended with; `CancellationError` if the caller's task is cancelled first.
    func value() async throws -> AccessToken { try await result.value() }

    /// The result, for a caller that can do without: `busy` as soon as another process is found to hold the lock.
    ///
    /// - Throws: As ``value()``.
    func promptValue() async throws -> AccessToken { try await promptResult.value() }

    /// Gives the result to all who wait and will wait; only the first one counts.
    func finish(_ outcome: Result<AccessToken, any Error>) {
        result.finish(outcome)
        promptResult.finish(outcome)
    }

    /// Lets those go on who can do without: another process holds the lock.
    func holdUp(_ error: AuthSessionError) { promptResult.finish(.failure(error)) }

    /// Whether it has not begun, and no caller waits for it.
    var isIdle: Bool { phase.withLock { $0 != .underWay } && !result.isAwaited }

    /// Notes that the lock is held and the refresh begins.
    ///
    /// - Returns: False if it was called off.
    func begin() -> Bool {
        phase.withLock { phase in
            guard phase != .calledOff else { return false }
            phase = .underWay
            return true
        }
    }

    /// Calls the refresh off, unless it has begun or a caller waits for it.
    ///
    /// - Returns: Whether it never begins.
    func callOff(_ error: AuthSessionError) -> Bool {
        let isCalledOff = phase.withLock { phase in
            if phase == .waiting, !result.isAwaited { phase = .calledOff }
            return phase == .calledOff
        }
        if isCalledOff { finish(.failure(error)) }
        return isCalledOff
    }
}
