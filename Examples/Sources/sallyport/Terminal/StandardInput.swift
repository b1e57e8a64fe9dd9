// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The standard input of the tool.
enum StandardInput {
    /// The maximum size of the input, in bytes.
    private static let limit = 16 * 1_024 * 1_024

    /// Reads all input, or all of another descriptor's, to its end.
    static func readAll(from descriptor: Int32 = STDIN_FILENO) throws -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw Failure(.failed, "Standard input can't be read.", "Check its source.") }
            guard count > 0 else { return content }
            content += buffer.prefix(count)
            guard content.count <= limit else {
                throw Failure(.wrongArguments, "Standard input is too large.", "The limit is 16 MiB.")
            }
        }
    }

    /// Reads all input and returns its first line, without the line end.
    static func readFirstLine() throws -> String {
        let line = try readAll().prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(decoding: line, as: UTF8.self)
    }

    /// Returns the lines of the input as they come, without white space around them.
    ///
    /// Ends with the input, at the time limit, and at once if the task is cancelled.
    static func lines(for timeout: Duration) -> AsyncStream<String> {
        let (lines, source) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(16))
        // Nothing wakes a read, so that a thread of its own waits for it until the process ends.
        DispatchQueue.global().async {
            while let line = readLine(strippingNewline: true), line.utf8.count <= limit {
                source.yield(line.split(whereSeparator: \.isWhitespace).joined(separator: " "))
            }
            source.finish()
        }
        let timer = Task {
            do { try await Task.sleep(for: timeout) } catch { return }
            source.finish()
        }
        source.onTermination = { _ in timer.cancel() }
        return lines
    }

    /// Reads the first line, which must not be empty.
    static func readPassword() throws -> String {
        let password = try readFirstLine()
        guard !password.isEmpty else {
            throw Failure(.wrongArguments, "Standard input contains no password.", "Put it on the first line.")
        }
        return password
    }

    /// Asks on the terminal without showing the input.
    ///
    /// - Parameters:
    ///   - prompt: The prompt for the user.
    ///   - advice: The advice if there is no terminal.
    /// - Returns: The input. Secret.
    /// - Throws: ``Failure`` if there is no terminal.
    static func askHidden(_ prompt: String, instead advice: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(
                .wrongArguments,
                "There is no terminal for the prompt: \(prompt.prefix { $0 != ":" }).",
                advice
            )
        }
        var shown = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw Failure(.failed, "The terminal can't show a prompt.", advice)
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        asked.withLock { $0 = shown }
        defer {
            showTyping()
            Terminal.note("")
        }
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw Failure(.failed, "The terminal can't hide the input.", advice)
        }
        Terminal.note(prompt)
        return readLine(strippingNewline: true) ?? ""
    }

    /// The terminal's settings from before the prompt, or nil if there is no prompt now.
    private static let asked = Mutex<termios?>(nil)

    /// Restores the echo of the terminal after a prompt.
    ///
    /// - Returns: Whether there was a prompt, whose input nothing but Ctrl-C can interrupt.
    @discardableResult
    static func showTyping() -> Bool {
        guard
            var shown = asked.withLock({ asked in
                defer { asked = nil }
                return asked
            })
        else { return false }
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
        return true
    }
}
