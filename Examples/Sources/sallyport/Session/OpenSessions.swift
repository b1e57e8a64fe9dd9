import AuthSession
import Synchronization

/// The sessions that this command has used, to be brought to rest before the process ends.
///
/// A refresh belongs to the session and not to the call that asked for it: a process that ended in the middle of one
/// would throw away the rotated token, and the next command would be taken for a thief.
enum OpenSessions {
    private static let sessions = Mutex<[AuthSession]>([])

    /// How long who has pressed Ctrl-C is kept waiting for a refresh.
    private static let patience = Duration.seconds(3)

    static func add(_ session: AuthSession) {
        sessions.withLock { $0.append(session) }
    }

    /// Waits for refreshes that are under way, and writes what is not written yet.
    ///
    /// Not cut short by the cancellation of the task, only shortened.
    ///
    /// - Returns: Why tokens could not be written, where they could not.
    static func settle() async -> (any Error)? {
        let all = sessions.withLock { $0 }
        let work = Task {
            var failure: (any Error)?
            for session in all {
                do { try await session.saveAgain() } catch { failure = error }
            }
            return failure
        }
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            _ = await work.value
            end.finish()
        }
        // In a task of its own, for this one may be cancelled and would not wait.
        let waiting = Task { for await _ in done {} }
        await withTaskCancellationHandler {
            await waiting.value
        } onCancel: {
            Task {
                try? await Task.sleep(for: patience)
                end.finish()
            }
        }
        return Task.isCancelled ? nil : await work.value
    }
}
