// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The QR code of an address, as the program `qrencode` draws it.
enum QRCode {
    /// The maximum length of an address, in bytes: that of the largest code (ISO/IEC 18004, 40-L).
    private static let longest = 2_953

    /// Returns the lines of a code.
    ///
    /// The address goes to the program's standard input, because every user of the machine can read arguments.
    ///
    /// - Returns: The lines, or nil if `qrencode` or `timeout` is not installed, if it fails or takes longer than two
    ///   seconds, or if the code doesn't fit on the screen.
    static func text(of address: String, on screen: TerminalScreen) -> String? {
        guard screen.takesBlocks, address.utf8.count <= longest else { return nil }
        // No theme changes the colours of the second type.
        let type = screen.takesColours ? "ANSI256UTF8" : "UTF8"
        let words = ["timeout", "-s", "KILL", "2", "qrencode", "-t", type]
        guard let output = output(of: words, reading: Array(address.utf8)) else { return nil }
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        // A line has two rows of a square with an odd number of rows.
        guard !lines.isEmpty, 2 * lines.count - 1 <= screen.columns else { return nil }
        return lines.joined(separator: "\n")
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - words: The program, which is looked up in `PATH`, and its arguments.
    ///   - input: The standard input. Not longer than a pipe, so that no write blocks.
    /// - Returns: The standard output, or nil if the program can't be started or fails.
    private static func output(of words: [String], reading input: [UInt8]) -> [UInt8]? {
        guard let source = pipeEnds() else { return nil }
        defer { close(source.reading) }
        let count = unsafe write(source.writing, input, input.count)
        close(source.writing)
        guard count == input.count, let result = pipeEnds() else { return nil }
        defer { close(result.reading) }
        let process = start(words, from: source.reading, to: result.writing)
        close(result.writing)
        guard let process else { return nil }
        let output = try? StandardInput.readAll(from: result.reading)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        return status == 0 ? output : nil
    }

    private static func start(_ words: [String], from input: Int32, to output: Int32) -> pid_t? {
        var attributes = ForwardedSignals.attributes()
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        // The program needs nothing else of the environment.
        let path = "PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(path), nil]
        defer { unsafe variables.forEach { unsafe free($0) } }
        var process = pid_t()
        return unsafe posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &variables) == 0
            ? process : nil
    }

    /// Returns the two ends of a pipe, which no program inherits.
    private static func pipeEnds() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
