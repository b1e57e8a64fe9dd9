public import Foundation

/// A program that is run to its end.
public struct Command: Sendable {
    /// What a program left behind.
    public struct Output: Sendable {
        /// All of its standard output.
        public let standardOutput: Data
        /// All of its standard error.
        public let standardError: Data
        /// Its exit code; 128 and the signal's number where a signal ended it.
        public let exitCode: Int32

        /// Its standard output as text.
        public var text: String { String(decoding: standardOutput, as: UTF8.self) }
        /// Its standard error as text.
        public var errorText: String { String(decoding: standardError, as: UTF8.self) }
    }

    private let executable: URL
    private let arguments: [String]
    private let environment: [String: String]?
    private let input: Data

    /// Describes a program's run.
    ///
    /// - Parameters:
    ///   - name: A file's name, looked up in `PATH`, or a path.
    ///   - arguments: Its arguments.
    ///   - environment: Its whole environment; nil for the test's own.
    ///   - input: What it reads from standard input.
    /// - Throws: ``TestSupportError`` where there is no such program.
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

    /// Runs the program to its end.
    ///
    /// Input and output go through files, so that neither a full pipe nor a daemon that it leaves behind holds it up.
    ///
    /// - Parameter timeout: After which it is killed.
    /// - Returns: What it left behind, whatever its exit code.
    /// - Throws: ``TestSupportError`` where it could not be run or took too long.
    public func run(timeout: Duration = .seconds(60)) async throws -> Output {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let files = try ["in", "out", "err"].map { name in
            let file = folder.url.appendingPathComponent(name)
            try (name == "in" ? input : Data()).write(to: file)
            return file
        }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        if let environment { process.environment = environment }
        let handles = try (
            FileHandle(forReadingFrom: files[0]), FileHandle(forWritingTo: files[1]), FileHandle(forWritingTo: files[2])
        )
        (process.standardInput, process.standardOutput, process.standardError) = handles
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
