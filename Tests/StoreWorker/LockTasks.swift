// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecureStore
import TestSupport

enum LockTasks {
    /// Runs `hold-lock FOLDER SERVICE`: acquires the session lock and holds it until killed.
    static func hold(_ arguments: WorkerArguments) async throws {
        let scope = try StoreScope(service: arguments[1])
        StoreWorker.endWithTest()
        try await SessionLock(for: scope, in: arguments[0]).withLock {
            Output.say("ready")
            while true { try await Task.sleep(for: .seconds(3_600)) }
        }
    }

    /// Runs `hold-shared-lock FOLDER SERVICE`: acquires the session lock in a shared folder and holds it until killed.
    static func holdShared(_ arguments: WorkerArguments) async throws {
        let scope = try sharedScope(arguments)
        StoreWorker.endWithTest()
        try await SessionLock(for: scope).withLock {
            Output.say("ready")
            while true { try await Task.sleep(for: .seconds(3_600)) }
        }
    }

    /// Runs `read-shared-note FOLDER SERVICE`: prints the pending removals in the note of a shared folder, or `nothing`.
    static func readSharedNote(_ arguments: WorkerArguments) async throws {
        let pending = try PendingRemovals(MemoryStore(scope: sharedScope(arguments))).pending
        Output.say(pending.isEmpty ? "nothing" : pending.map(\.name).joined(separator: " "))
        Output.say("done")
    }

    private static func sharedScope(_ arguments: WorkerArguments) throws -> StoreScope {
        try StoreScope(service: arguments[1], sharedFolder: try SharedFolder(arguments[0]))
    }

    /// Runs `count-under-lock FOLDER SERVICE FILE TIMES`: adds one to the number in FILE, TIMES times, each time under
    /// the session lock.
    static func count(_ arguments: WorkerArguments) async throws {
        let scope = try StoreScope(service: arguments[1])
        let lock = SessionLock(for: scope, in: try arguments[0])
        let file = URL(fileURLWithPath: try arguments[2])
        Output.say("ready")
        for _ in 0..<(try arguments.number(3)) {
            try await lock.withLock(timeout: .seconds(300)) {
                let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                guard let number = Int(text) else { throw WorkerError("the file was being written") }
                try Data("\(number + 1)".utf8).write(to: file)
            }
        }
        Output.say("done")
    }
}
