// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport

@testable import TerminalShell

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A program in a real terminal: tmux, on a server of the test's own.
struct TerminalSession: Sendable {
    /// Whether this machine has tmux.
    static let isAvailable = Executable.find("tmux") != nil

    private static let window = "shell"
    private let socket: String
    /// The file with the program's process number.
    private let identifier: URL
    private let environment: [String: String]

    /// Runs a test with a program in a terminal, and always takes the terminal down.
    ///
    /// - Parameters:
    ///   - size: The size in columns and rows.
    ///   - line: The program and its arguments, as words of a shell.
    ///   - environment: The whole environment.
    ///   - folder: The folder of tmux's socket.
    ///   - test: The test.
    /// - Throws: The test's error; an error if a program can't be started.
    static func run(
        _ size: ScreenSize = ScreenSize(columns: 80, rows: 24),
        _ line: String,
        environment: [String: String],
        in folder: URL,
        _ test: (TerminalSession) async throws -> Void
    ) async throws {
        var environment = environment
        // tmux itself needs a Unicode locale, whatever the program's locale is.
        let locale = environment["LC_ALL"] ?? "C.UTF-8"
        environment["LC_ALL"] = "C.UTF-8"
        environment["TMUX_TMPDIR"] = folder.path
        environment["TMUX"] = nil
        let socket = "t\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let identifier = folder.appending(path: "\(socket).pid")
        let session = TerminalSession(socket: socket, identifier: identifier, environment: environment)
        let (columns, rows) = ("\(size.columns)", "\(size.rows)")
        let start = ["new-session", "-d", "-s", window, "-x", columns, "-y", rows]
        // tmux would call its terminal `screen`, for which ncurses supports only the old mouse protocol.
        let terminal = "export TERM=\(environment["TERM"] ?? "xterm-256color") LC_ALL=\(locale)"
        // The screen stays readable after the program has ended.
        let program = "sh -c 'echo $$ >\(identifier.path()); exec \(line)'"
        let command = start + ["\(terminal); \(program); echo \"exit $?\"; cat"]
        let server = try session.server()
        do {
            try await waitUntil("tmux has a window") {
                try await session.tmux(command)
                return true
            }
            try await test(session)
        } catch {
            await server.end()
            throw error
        }
        await server.end()
    }

    /// Starts the server as a child of the test: as a daemon it would keep descriptors open by which the test learns of
    /// its children's end.
    private func server() throws -> RunningProcess {
        var process = ChildProcess()
        process.executableURL = Executable.find("tmux")
        process.arguments = ["-L", socket, "-f", "/dev/null", "-D"]
        process.environment = environment
        process.standardInput = .null
        process.standardOutput = .null
        process.standardError = .null
        return try RunningProcess(process)
    }

    /// Returns the text on the screen.
    func screen() async throws -> String { try await tmux(["capture-pane", "-p", "-t", Self.window]) }

    /// Returns the text on the screen with the escape sequences of its colours.
    func colouredScreen() async throws -> String { try await tmux(["capture-pane", "-p", "-e", "-t", Self.window]) }

    /// Presses keys, by tmux's names.
    func press(_ keys: String...) async throws {
        try await tmux(["send-keys", "-t", Self.window] + keys)
    }

    /// Types literal text.
    func type(_ text: String) async throws {
        try await tmux(["send-keys", "-l", "-t", Self.window, text])
    }

    /// Pastes a text, marked as such if the program has asked for that.
    func paste(_ text: String) async throws {
        try await tmux(["set-buffer", "-b", "pasted", text])
        try await tmux(["paste-buffer", "-p", "-r", "-b", "pasted", "-t", Self.window])
    }

    /// Drags the mouse from one place to another; columns and rows count from 1.
    func drag(from start: (column: Int, row: Int), to end: (column: Int, row: Int)) async throws {
        try await type("\u{1B}[<0;\(start.column);\(start.row)M")
        try await type("\u{1B}[<0;\(end.column);\(end.row)m")
    }

    /// Sends a signal to the program.
    func send(_ signal: Int32) throws {
        let number = try String(contentsOf: identifier, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let number = Int32(number), kill(number, signal) == 0 else {
            throw TerminalError(description: "no program \(number) to send a signal to")
        }
    }

    /// Resizes the terminal.
    func resize(columns: Int, rows: Int) async throws {
        try await tmux(["resize-window", "-t", Self.window, "-x", "\(columns)", "-y", "\(rows)"])
    }

    @discardableResult
    private func tmux(_ arguments: [String]) async throws -> String {
        // -N: a command that came before the server would start another one, as a daemon.
        let output = try await Command("tmux", ["-N", "-L", socket] + arguments, environment: environment).run()
        guard output.exitCode == 0 else { throw TerminalError(description: output.errorText) }
        return output.text
    }
}

/// The reason why a terminal did not show the expected text.
struct TerminalError: Error, CustomStringConvertible {
    let description: String
}
