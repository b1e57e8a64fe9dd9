import AuthCore
import SecureStore
import TestSupport

/// A process that works on a store until it is done or killed: `StoreWorker TASK ARGUMENT...`.
///
/// Says `ready` and `done` on standard output. Every fault is an uncaught error, so that the process fails.
@main
enum StoreWorker {
    private typealias Work = @Sendable (WorkerArguments) async throws -> Void

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first, let task = lockTasks[name] ?? fileTasks[name] ?? keyringTasks[name] else {
            throw WorkerError("no such task")
        }
        try await task(WorkerArguments(Array(arguments.dropFirst())))
    }

    private static let lockTasks: [String: Work] = [
        "hold-lock": LockTasks.hold,
        "count-under-lock": LockTasks.count,
    ]

    #if EncryptedFile
    private static let fileTasks: [String: Work] = [
        "write-file": FileTasks.write,
        "write-items": FileTasks.writeItems,
        "fill-file": FileTasks.fill,
    ]
    #else
    private static let fileTasks: [String: Work] = [:]
    #endif

    #if Keyring && canImport(Glibc)
    private static let keyringTasks: [String: Work] = [
        "unanswered-calls": KeyringTasks.leaveUnanswered,
        "read-keyring": KeyringTasks.read,
        "stress-set-up": KeyringStress.setUp,
        "stress-keyring": KeyringStress.run,
    ]
    #else
    private static let keyringTasks: [String: Work] = [:]
    #endif
}
