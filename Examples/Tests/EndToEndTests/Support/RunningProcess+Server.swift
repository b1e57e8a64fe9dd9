// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport

extension RunningProcess {
    /// Starts a program that serves a test and ends when its standard input closes.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: Its arguments.
    /// - Returns: The process, whose output ``read(until:timeout:)`` returns, and the open end of its standard input.
    /// - Throws: `TestSupportError` if it can't be started.
    static func server(_ path: String, _ arguments: [String] = []) throws -> (
        process: RunningProcess, input: FileHandle
    ) {
        let (input, output) = (Pipe.make(), Pipe.make())
        var process = ChildProcess()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
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
