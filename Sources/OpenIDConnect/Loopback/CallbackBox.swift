#if LoopbackRedirect
import Synchronization

/// The one callback that a listener waits for, between the connections that bring it and the task that awaits it.
final class CallbackBox: Sendable {
    /// What is made of a callback's query: nil for one that is not ours.
    typealias Check = @Sendable (String) -> Result<AuthorizationResponse, AuthorizationError>?
    typealias Outcome = Result<AuthorizationResponse, any Error>

    static let path = "/callback"

    private struct Wait {
        var authority: String?
        var check: Check?
        var waiter: CheckedContinuation<AuthorizationResponse, any Error>?
        var isTaken = false
        var outcome: Outcome?
    }

    private let wait = Mutex(Wait())

    /// Which `Host` requests must carry, known once the port is.
    func accept(authority: String) {
        wait.withLock { $0.authority = authority }
    }

    func isOurs(host: String?) -> Bool {
        wait.withLock { host != nil && $0.authority == host }
    }

    /// From now on callbacks are looked at; before, every one is a stranger's.
    func expect(_ check: @escaping Check) {
        wait.withLock { $0.check = check }
    }

    /// The first callback that the check takes, also one that came before this was called.
    func value() async throws -> AuthorizationResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = wait.withLock { wait in
                    if wait.outcome == nil { wait.waiter = continuation }
                    return wait.outcome
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    /// Takes a callback; nil where it is not the awaited one, or not the first.
    ///
    /// Who waits is told with ``deliver(_:)``, once the browser has its page: a process may end with the answer.
    func take(query: String) -> Result<AuthorizationResponse, AuthorizationError>? {
        let check = wait.withLock { $0.isTaken || $0.outcome != nil ? nil : $0.check }
        guard let check, let result = check(query) else { return nil }
        let isFirst = wait.withLock { wait in
            defer { wait.isTaken = true }
            return !wait.isTaken
        }
        return isFirst ? result : nil
    }

    /// Gives who waits the callback that was taken.
    func deliver(_ result: Result<AuthorizationResponse, AuthorizationError>) {
        finish(result.mapError { $0 })
    }

    private func finish(_ outcome: Outcome) {
        let waiter = wait.withLock { wait in
            if wait.outcome == nil { wait.outcome = outcome }
            defer { wait.waiter = nil }
            return wait.waiter
        }
        waiter?.resume(with: outcome)
    }
}
#endif
