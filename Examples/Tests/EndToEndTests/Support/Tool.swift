import BackendTestSupport
import Foundation
import TestSupport

/// The program as it was built beside these tests, run as a process of its own.
struct Tool: Sendable {
    /// The whole environment it is given.
    var environment: [String: String]
    /// What all its runs printed, a token that was asked for left out.
    let printed = Collected<String>()

    /// A tool in the surroundings of a keyring, with the browser played by a script.
    init(in environment: [String: String]) {
        var environment = environment
        for name in ["SALLYPORT_API_KEY", "SALLYPORT_PASSPHRASE", "http_proxy", "ALL_PROXY", "all_proxy"] {
            environment[name] = nil
        }
        environment["BROWSER"] = Self.browser
        self.environment = environment
    }

    /// Runs it to its end.
    func callAsFunction(_ arguments: String..., input: String = "") async throws -> Command.Output {
        try await run(arguments, input: input)
    }

    /// Runs it to its end.
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

    /// Runs it to its end with a terminal as its standard output.
    func onTerminal(_ arguments: String...) async throws -> Command.Output {
        let words = try [Executable.besideTests("sallyport").path] + arguments
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        return try await Command("script", ["-qec", line, "/dev/null"], environment: environment).run()
    }

    /// Starts it, to be read and ended by the test; what it reads is its standard error.
    func start(_ arguments: String...) throws -> RunningProcess {
        let (process, error) = (Process(), Pipe.make())
        process.executableURL = try Executable.besideTests("sallyport")
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = error
        return try RunningProcess(process, output: error.fileHandleForReading)
    }

    /// Plays the person at the stand-in for Apple.
    static var browser: String {
        URL(filePath: #filePath).appending(path: "../../../../Support/browser").standardizedFileURL.path()
    }
}

extension Command.Output {
    /// Its standard output as one JSON object.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: standardOutput)) as? [String: Any] ?? [:]
    }

    /// The sentences on standard error.
    var notes: [String] { errorText.split(separator: "\n").map(String.init) }
}
