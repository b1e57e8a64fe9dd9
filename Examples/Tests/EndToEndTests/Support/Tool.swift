// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import SharedTestSupport

/// The program from the build folder of these tests, run as a process of its own.
struct Tool: Sendable {
    /// The complete environment of the program.
    var environment: [String: String]
    /// The output of all runs, except that of `token`.
    let printed = Collected<String>()

    /// Creates a tool in the environment of a keyring; a script plays the browser.
    init(in environment: [String: String]) {
        var environment = environment.filter { !$0.key.hasPrefix("SALLYPORT_") }
        for name in ["http_proxy", "ALL_PROXY", "all_proxy"] { environment[name] = nil }
        environment["BROWSER"] = Self.browser
        self.environment = environment
    }

    /// Runs the tool to its end.
    func callAsFunction(_ arguments: String..., input: String = "") async throws -> Command.Output {
        try await run(arguments, input: input)
    }

    /// Runs the tool to its end.
    func run(_ arguments: [String], input: String = "") async throws -> Command.Output {
        let command = try Command(
            Executable.besideTests("sallyport").path,
            arguments,
            environment: environment,
            input: Data(input.utf8)
        )
        let output = try await command.run()
        if arguments.first != "token" { printed.append(output.text) }
        printed.append(output.errorText)
        return output
    }

    /// Runs the tool to its end in a home folder of its own, without a keyring.
    static func runAlone(_ arguments: [String], input: String = "") async throws -> Command.Output {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var environment = ProcessInfo.processInfo.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"] {
            environment[name] = folder.url.path()
        }
        return try await Tool(in: environment).run(arguments, input: input)
    }

    /// Runs the tool to its end with a terminal as its standard output.
    func onTerminal(_ arguments: String...) async throws -> Command.Output {
        let words = try [Executable.besideTests("sallyport").path] + arguments
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        return try await Command("script", ["-qec", line, "/dev/null"], environment: environment).run()
    }

    /// Starts the tool in a terminal; what the test writes is typed there, and the process returns what is shown.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - next: A line of shell that runs in the terminal after the tool, also after a signal of the keyboard.
    func startOnTerminal(
        _ arguments: [String],
        then next: String? = nil
    ) throws -> (process: RunningProcess, keyboard: FileHandle) {
        let (keyboard, screen) = (Pipe.make(), Pipe.make())
        let words = try [Executable.besideTests("sallyport").path] + arguments
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        var process = ChildProcess()
        process.executableURL = Executable.find("script")
        process.arguments = ["-qec", next.map { "trap : INT QUIT; \(line); \($0)" } ?? line, "/dev/null"]
        process.environment = environment
        process.standardInput = .pipe(keyboard)
        process.standardOutput = .pipe(screen)
        let keys = keyboard.fileHandleForWriting
        return (try RunningProcess(process, input: keys, output: screen.fileHandleForReading), keys)
    }

    /// Starts the tool, which the test reads and ends; the process returns the tool's standard error.
    func start(_ arguments: String...) throws -> RunningProcess { try start(arguments) }

    /// Starts the tool, which the test reads and ends; the process returns the tool's standard error.
    func start(_ arguments: [String]) throws -> RunningProcess {
        let error = Pipe.make()
        var process = ChildProcess()
        process.executableURL = try Executable.besideTests("sallyport")
        process.arguments = arguments
        process.environment = environment
        process.standardInput = .null
        process.standardOutput = .null
        process.standardError = .pipe(error)
        return try RunningProcess(process, output: error.fileHandleForReading)
    }

    /// The script that plays the user at the stand-in for Apple.
    static var browser: String {
        URL(filePath: #filePath).appending(path: "../../../../Support/browser").standardizedFileURL.path()
    }
}

extension Command.Output {
    /// The standard output as one JSON object.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: standardOutput)) as? [String: Any] ?? [:]
    }

    /// The sentences on standard error.
    var notes: [String] { errorText.split(separator: "\n").map(String.init) }
}
