// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import SharedTestSupport

/// The program `RefreshWorker` in a process of its own, and its output.
///
/// `SALLYPORT_REFRESH_WORKER` names another build of it, such as one with the thread sanitizer.
final class Worker: Sendable {
    let process: RunningProcess

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - arguments: The worker's task and the arguments of that task.
    ///   - environment: The worker's whole environment.
    ///   - input: The worker's standard input.
    ///   - onLine: A closure that receives every line, in order, and nil after the last one.
    /// - Throws: `TestSupportError`; the system's error if the worker can't be started.
    init(
        _ arguments: [String],
        environment: [String: String],
        input: ChildProcess.Stream = .null,
        onLine: @escaping @Sendable (WorkerLine?) -> Void
    ) throws {
        var process = ChildProcess()
        let other = ProcessInfo.processInfo.environment["SALLYPORT_REFRESH_WORKER"]
        process.executableURL = try other.map { URL(fileURLWithPath: $0) } ?? Executable.besideTests("RefreshWorker")
        process.arguments = arguments
        process.environment = environment
        process.standardInput = input
        let pipe = Pipe.make()
        process.standardOutput = .pipe(pipe)
        let output = pipe.fileHandleForReading
        self.process = try RunningProcess(process)
        // Not with a `readabilityHandler`: its dispatch source may outlive the descriptor, which is closed separately.
        // Among a thousand pipes that open and close all the time, libdispatch crashes on that.
        Thread.detachNewThread { Self.read(output, onLine) }
    }

    private static func read(_ output: FileHandle, _ onLine: (WorkerLine?) -> Void) {
        var rest = Data()
        while true {
            let read = output.availableData
            guard !read.isEmpty else { return onLine(nil) }
            rest.append(read)
            var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Data(lines.removeLast())
            // A line that is not JSON would be a worker's fault; the test that waits for it then fails.
            for line in lines { if let line = try? JSONDecoder().decode(WorkerLine.self, from: line) { onLine(line) } }
        }
    }
}

/// The reason why a reliability test could not be set up.
struct ReliabilityError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
