import AuthCore
import SecureStore

/// A process that works on a store until it is done or killed: `StoreWorker TASK ARGUMENT...`.
///
/// Says `ready` and `done` on standard output. Every fault is an uncaught error, so that the process fails.
@main
enum StoreWorker {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first, let task = tasks[name] else { throw WorkerError("no such task") }
        try await task(WorkerArguments(Array(arguments.dropFirst())))
    }

    private typealias Work = @Sendable (WorkerArguments) async throws -> Void

    private static let tasks: [String: Work] = [
        "hold-lock": LockTasks.hold,
        "count-under-lock": LockTasks.count,
    ].merging(fileTasks) { first, _ in first }

    #if EncryptedFile
    private static let fileTasks: [String: Work] = [
        "write-file": FileTasks.write,
        "write-items": FileTasks.writeItems,
        "fill-file": FileTasks.fill,
    ]
    #else
    private static let fileTasks: [String: Work] = [:]
    #endif
}
