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
    /// - Throws: The reason why tokens could not be written. Nothing if the task was cancelled.
    static func settle() async throws {
        let work = Task { try await saveAll() }
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            _ = await work.result
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
        if !Task.isCancelled { try await work.value }
    }

    /// Saves every session, also if one fails, and then throws the last failure.
    ///
    /// A function, not the closure of the task: `Docs/CompilerFault.md`.
    private static func saveAll() async throws {
        var failure: (any Error)?
        for session in sessions.withLock({ $0 }) {
            do { try await session.saveAgain() } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
