// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import SecureStore
import TestSupport

/// A process that works on a store until it finishes or is killed: `StoreWorker TASK ARGUMENT...`.
///
/// Prints `ready` and `done` to standard output. An error stays uncaught, so that the process fails.
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

    /// Ends this process when the test process ends and thereby closes this process's standard input.
    ///
    /// For tasks that run until they are killed. If the test process crashed, they would run forever, and so would
    /// `swift test`, which reads the standard error that this process inherits until it is closed.
    static func endWithTest() {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            exit(1)
        }
    }

    private static let lockTasks: [String: Work] = [
        "hold-lock": LockTasks.hold,
        "hold-shared-lock": LockTasks.holdShared,
        "read-shared-note": LockTasks.readSharedNote,
        "count-under-lock": LockTasks.count,
    ]

    #if EncryptedFile
    private static let fileTasks: [String: Work] = [
        "write-file": FileTasks.write,
        "write-items": FileTasks.writeItems,
        "fill-file": FileTasks.fill,
        "keep-derived-key": FileTasks.keepDerivedKey,
    ]
    #else
    private static let fileTasks: [String: Work] = [:]
    #endif

    #if Keyring && canImport(Glibc)
    private static let keyringTasks: [String: Work] = [
        "unanswered-calls": KeyringTasks.leaveUnanswered,
        "read-keyring": KeyringTasks.read,
        "restart-keyring": KeyringTasks.restart,
        "stress-set-up": KeyringStress.setUp,
        "stress-keyring": KeyringStress.run,
        "migrate": MigrationTasks.migrate,
    ]
    #else
    private static let keyringTasks: [String: Work] = [:]
    #endif
}
