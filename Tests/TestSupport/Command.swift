// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A program that runs to completion.
public struct Command: Sendable {
    /// The result of a program's run.
    public struct Output: Sendable {
        /// The whole standard output.
        public let standardOutput: Data
        /// The whole standard error.
        public let standardError: Data
        /// The exit code, or 128 plus the number of the signal that ended the program.
        public let exitCode: Int32

        /// The standard output as text.
        public var text: String { String(decoding: standardOutput, as: UTF8.self) }
        /// The standard error as text.
        public var errorText: String { String(decoding: standardError, as: UTF8.self) }
    }

    private let executable: URL
    private let arguments: [String]
    private let environment: [String: String]?
    private let input: Data

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - name: A file name, looked up in `PATH`, or a path.
    ///   - arguments: The arguments.
    ///   - environment: The whole environment. If nil, that of the test.
    ///   - input: The standard input.
    /// - Throws: ``TestSupportError`` if the program is not installed.
    public init(
        _ name: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        input: Data = Data()
    ) throws {
        let found = name.contains("/") ? URL(fileURLWithPath: name) : Executable.find(name)
        guard let found else { throw TestSupportError("\(name) is not installed") }
        executable = found
        self.arguments = arguments
        self.environment = environment
        self.input = input
    }

    /// Runs the program until it exits.
    ///
    /// Input and output go through files: a full pipe can't block the program, and a daemon that it starts can't delay
    /// the result.
    ///
    /// - Parameter timeout: The time after which the program is killed.
    /// - Returns: The output and the exit code, even if the program failed.
    /// - Throws: ``TestSupportError`` if the program can't be started or takes too long.
    public func run(timeout: Duration = .seconds(60)) async throws -> Output {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let files = try ["in", "out", "err"].map { name in
            let file = folder.url.appendingPathComponent(name)
            try (name == "in" ? input : Data()).write(to: file)
            return file
        }
        var process = ChildProcess()
        process.executableURL = executable
        process.arguments = arguments
        if let environment { process.environment = environment }
        let handles = try (
            FileHandle(forReadingFrom: files[0]), FileHandle(forWritingTo: files[1]), FileHandle(forWritingTo: files[2])
        )
        process.standardInput = .file(handles.0)
        process.standardOutput = .file(handles.1)
        process.standardError = .file(handles.2)
        defer { for handle in [handles.0, handles.1, handles.2] { try? handle.close() } }
        let ended = try await RunningProcess(process).waitUntilExit(timeout: timeout)
        guard let ended else { throw TestSupportError("\(executable.lastPathComponent) took longer than \(timeout)") }
        return Output(
            standardOutput: try Data(contentsOf: files[1]),
            standardError: try Data(contentsOf: files[2]),
            exitCode: ended
        )
    }
}
