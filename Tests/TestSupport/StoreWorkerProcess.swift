#if canImport(Glibc)
public import Foundation

/// The program `StoreWorker` in a process of its own.
public enum StoreWorkerProcess {
    /// Starts it.
    ///
    /// - Parameters:
    ///   - arguments: Its task and what that takes.
    ///   - environment: Its whole environment; nil for the test's own.
    ///   - launcher: A program and its arguments that start it, `unshare --fork` say.
    /// - Returns: The process.
    /// - Throws: ``TestSupportError``; what the system says.
    public static func start(
        _ arguments: [String],
        environment: [String: String]? = nil,
        launcher: [String] = []
    ) throws -> RunningProcess {
        let words = launcher + [try executable().path] + arguments
        let process = Process()
        guard let program = words[0].contains("/") ? URL(fileURLWithPath: words[0]) : Executable.find(words[0]) else {
            throw TestSupportError("\(words[0]) is not installed")
        }
        process.executableURL = program
        process.arguments = Array(words.dropFirst())
        if let environment { process.environment = environment }
        let output = Pipe.make()
        process.standardOutput = output
        return try RunningProcess(process, output: output.fileHandleForReading)
    }

    /// Where the build put it: beside the tests.
    ///
    /// - Returns: The program.
    /// - Throws: ``TestSupportError`` where it is not there.
    public static func executable() throws -> URL {
        try Executable.besideTests("StoreWorker")
    }
}
#endif
