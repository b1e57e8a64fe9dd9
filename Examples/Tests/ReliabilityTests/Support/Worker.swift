import BackendTestSupport
import Foundation
import TestSupport

/// The program `RefreshWorker` in a process of its own, and what it says.
///
/// `SALLYPORT_REFRESH_WORKER` names another build of it, such as one with the thread sanitizer.
final class Worker: Sendable {
    let process: RunningProcess

    /// Starts one.
    ///
    /// - Parameters:
    ///   - arguments: Its task and what that takes.
    ///   - environment: Its whole environment.
    ///   - input: What it reads.
    ///   - tell: Told of every line, in order; nil once no more can come.
    /// - Throws: `TestSupportError`; what the system says where it can't be started.
    init(
        _ arguments: [String],
        environment: [String: String],
        input: FileHandle = .nullDevice,
        tell: @escaping @Sendable (WorkerLine?) -> Void
    ) throws {
        let process = Process()
        let other = ProcessInfo.processInfo.environment["SALLYPORT_REFRESH_WORKER"]
        process.executableURL = try other.map { URL(fileURLWithPath: $0) } ?? Executable.besideTests("RefreshWorker")
        process.arguments = arguments
        process.environment = environment
        process.standardInput = input
        let pipe = Pipe.make()
        process.standardOutput = pipe
        let output = pipe.fileHandleForReading
        self.process = try RunningProcess(process)
        // Not by a `readabilityHandler`: its dispatch source may outlive the descriptor that is closed beside it, and among
        // a thousand pipes, closed and opened all the time, libdispatch crashes on it.
        Thread.detachNewThread { Self.read(output, tell) }
    }

    private static func read(_ output: FileHandle, _ tell: (WorkerLine?) -> Void) {
        var rest = Data()
        while true {
            let read = output.availableData
            guard !read.isEmpty else { return tell(nil) }
            rest.append(read)
            var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Data(lines.removeLast())
            // A line that is no JSON would be a worker's fault, and is missed by who waits for it.
            for line in lines { if let line = try? JSONDecoder().decode(WorkerLine.self, from: line) { tell(line) } }
        }
    }
}

/// Why the fire could not be laid.
struct FireError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
