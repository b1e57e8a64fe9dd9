// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Synchronization

/// A requested refresh, which waits for the inter-process lock and then runs.
///
/// While it only waits, it has sent nothing, and can be given up without loss.
final class RefreshFlight: Sendable {
    private enum Phase {
        case waiting
        case underWay
        case calledOff
    }

    /// The request for another API's access token; nil for the session's own.
    let request: ResourceRequest?
    /// The token that the new one replaces; nil for none, and for the session's own.
    let superseded: AccessToken?
    /// The epoch of the session in which the refresh was requested.
    let epoch: Int
    /// The time of the first request for it.
    let begunAt: Duration
    /// The report for the observers, which is taken once.
    private let report: Mutex<(refresh: SessionEvent.Refresh, isTaken: Bool)>
    private let phase = Mutex(Phase.waiting)
    private let result = Promise<TokenSet>()
    private let promptResult = Promise<TokenSet>()

    init(for request: ResourceRequest?, superseding superseded: AccessToken?, in epoch: Int, at uptime: Duration) {
        (self.request, self.superseded, self.epoch, begunAt) = (request, superseded, epoch, uptime)
        report = Mutex((refresh: .init(isForOtherAPI: request != nil), isTaken: false))
    }

    /// Returns the result, even if another process holds the lock for long.
    ///
    /// - Parameter promptly: Whether the caller can do without the result, and gets `busy` after ``holdUp(_:)``.
    /// - Throws: The error of the refresh; `CancellationError` if the caller's task is cancelled first.
    func value(promptly: Bool = false) async throws -> TokenSet {
        try await (promptly ? promptResult : result).value()
    }

    /// Delivers the result to all present and future callers; only the first result counts.
    func finish(_ outcome: Result<TokenSet, any Error>) {
        result.finish(outcome)
        promptResult.finish(outcome)
    }

    /// Releases the callers that can do without the result, because another process still holds the lock.
    func holdUp(_ error: AuthSessionError) { promptResult.finish(.failure(error)) }

    /// Notes something for the report.
    func note(_ change: (inout SessionEvent.Refresh) -> Void) { report.withLock { change(&$0.refresh) } }

    /// Returns the report the first time, and nil after that.
    func takeReport() -> SessionEvent.Refresh? {
        report.withLock { report in
            defer { report.isTaken = true }
            return report.isTaken ? nil : report.refresh
        }
    }

    /// Whether the refresh has not begun and no caller waits for it.
    var isIdle: Bool { phase.withLock { $0 != .underWay } && !result.isAwaited }

    /// Notes that the lock is held and the refresh begins; returns false if it was called off.
    func begin() -> Bool {
        phase.withLock { phase in
            guard phase != .calledOff else { return false }
            phase = .underWay
            return true
        }
    }

    /// Calls the refresh off, unless it has begun or a caller waits for it; returns whether it never begins.
    func callOff(_ error: AuthSessionError) -> Bool {
        let isCalledOff = phase.withLock { phase in
            if phase == .waiting, !result.isAwaited { phase = .calledOff }
            return phase == .calledOff
        }
        if isCalledOff { finish(.failure(error)) }
        return isCalledOff
    }
}
