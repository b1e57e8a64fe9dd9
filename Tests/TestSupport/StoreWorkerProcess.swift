// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
public import Foundation

/// The program `StoreWorker`, run in its own process.
public enum StoreWorkerProcess {
    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: The task and its arguments.
    ///   - environment: The whole environment. If nil, that of the test.
    ///   - launcher: A program that starts it, with arguments, for example `unshare --fork`.
    /// - Returns: The process.
    /// - Throws: ``TestSupportError``, or the system's error.
    public static func start(
        _ arguments: [String],
        environment: [String: String]? = nil,
        launcher: [String] = []
    ) throws -> RunningProcess {
        let words = launcher + [try executable().path] + arguments
        var process = ChildProcess()
        guard let program = words[0].contains("/") ? URL(fileURLWithPath: words[0]) : Executable.find(words[0]) else {
            throw TestSupportError("\(words[0]) is not installed")
        }
        process.executableURL = program
        process.arguments = Array(words.dropFirst())
        if let environment { process.environment = environment }
        let output = Pipe.make()
        process.standardOutput = .pipe(output)
        // Some tasks exit when this closes, which happens when this process is gone, even after a crash.
        process.standardInput = .pipe(.make())
        return try RunningProcess(process, output: output.fileHandleForReading)
    }

    /// Returns the program's location beside the tests.
    ///
    /// - Returns: The program's URL.
    /// - Throws: ``TestSupportError`` if it was not built.
    public static func executable() throws -> URL {
        try Executable.besideTests("StoreWorker")
    }
}
#endif
