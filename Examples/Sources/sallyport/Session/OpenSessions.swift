// SPDX-License-Identifier: Apache-2.0

import AuthSession
import Synchronization

/// The sessions that this command has used, which must finish their work before the process ends.
///
/// A refresh belongs to the session, not to the call that requested it. A process that ended during a refresh would
/// lose the rotated token, and the next command would look like a token thief.
enum OpenSessions {
    private static let sessions = Mutex<[AuthSession]>([])

    /// The failure of a refresh process that could not save new tokens, which every command reports.
    static let unsaved = Mutex<Failure?>(nil)

    /// The maximum wait after Ctrl-C for a refresh that this process carries out itself.
    private static let timeout = Duration.seconds(3)

    static func add(_ session: AuthSession) {
        sessions.withLock { $0.append(session) }
    }

    /// Whether one of the sessions has ended because the response to a refresh was lost.
    ///
    /// The error of an ended session does not say so, but its state does.
    static var hasLostResponse: Bool {
        sessions.withLock { $0 }.contains { $0.state == .signedOut(.refreshResponseLost) }
    }

    /// Returns the failure for an error; nil for an error of the argument parser.
    ///
    /// The error of a store does not say that it kept new tokens from being saved.
    static func failure(_ error: any Error) async -> Failure? {
        if let error = error as? AuthSessionError, error.code == .storeUnavailable {
            for session in sessions.withLock({ $0 }) where await session.persistenceError != nil {
                return Failure(unsavedBecause: error)
            }
        }
        return Failure(error)
    }

    /// Waits for refreshes in progress, and saves unsaved tokens.
    ///
    /// Cancellation of the task limits the wait and doesn't end it at once.
    ///
    /// - Throws: The error that kept tokens from being saved. Throws nothing if the task was cancelled.
    static func settle() async throws {
        let work = Task { try await saveAll() }
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            _ = await work.result
            end.finish()
        }
        // A separate task, because this one may be cancelled and then wouldn't wait.
        let waiting = Task { for await _ in done {} }
        await withTaskCancellationHandler {
            await waiting.value
        } onCancel: {
            Task {
                if !RefreshProcess.isWaitedFor { try? await Task.sleep(for: timeout) }
                end.finish()
            }
        }
        if !Task.isCancelled { try await work.value }
    }

    /// Saves every session, also if one fails, and then throws the last error.
    ///
    /// A function, not the closure of the task, because of a compiler bug: `Docs/CompilerFault.md`.
    private static func saveAll() async throws {
        var failure: (any Error)?
        for session in sessions.withLock({ $0 }) {
            do { try await session.flush() } catch { failure = error }
        }
        if let failure = failure ?? unsaved.withLock({ $0 }) { throw failure }
    }
}
