// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
public import Foundation

extension RunningProcess {
    /// Starts a program that serves a test and ends when its standard input closes.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: Its arguments.
    ///   - environment: Its whole environment; nil for that of this process.
    /// - Returns: The process, whose output ``read(until:timeout:)`` returns, and the open end of its standard input.
    /// - Throws: ``TestSupportError`` if it can't be started.
    public static func server(
        _ path: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil
    ) throws -> (process: RunningProcess, input: FileHandle) {
        let (input, output) = (Pipe.make(), Pipe.make())
        var process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = .pipe(input)
        process.standardOutput = .pipe(output)
        let running = try RunningProcess(
            process,
            input: input.fileHandleForWriting,
            output: output.fileHandleForReading
        )
        return (running, input.fileHandleForWriting)
    }
}
#endif
