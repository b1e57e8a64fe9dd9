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
        takeLongLines()
        // Nothing wakes a read, so that a thread of its own waits for it until the process ends.
        DispatchQueue.global().async {
            while let line = nextLine() {
                source.yield(line.split(whereSeparator: \.isWhitespace).joined(separator: " "))
            }
            source.finish()
        }
        let timer = Task {
            do { try await Task.sleep(for: timeout) } catch { return }
            source.finish()
        }
        source.onTermination = { _ in
            timer.cancel()
            showTyping()
        }
        return lines
    }

    /// Has a terminal hand over what is typed at once, until ``showTyping()``.
    ///
    /// A terminal that edits lines drops what a line has beyond 4,095 bytes.
    private static func takeLongLines() {
        var shown = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else { return }
        var long = shown
        long.c_lflag &= ~tcflag_t(ICANON)
        unsafe withUnsafeMutableBytes(of: &long.c_cc) { keys in
            unsafe (keys[Int(VMIN)], keys[Int(VTIME)]) = (1, 0)
        }
        original.withLock { $0 = shown }
        unsafe tcsetattr(STDIN_FILENO, TCSANOW, &long)
    }

    /// Reads a line, in which Backspace and Ctrl-U delete; nil at the end of the input, and for a line that is too long.
    private static func nextLine() -> String? {
        var (line, byte) = ([UInt8](), UInt8(0))
        while line.count <= limit {
            let count = unsafe read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            switch (count, byte) {
            case (1, UInt8(ascii: "\n")): return String(decoding: line, as: UTF8.self)
            case (1, 0x08), (1, 0x7F): _ = line.popLast()
            case (1, 0x15): line = []
            // Ctrl-D.
            case (1, 0x04) where line.isEmpty: return nil
            case (1, _): line.append(byte)
            default: return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
            }
        }
        return nil
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
        // First: a signal that restores the settings must end the prompt, too.
        isAsking.store(true, ordering: .sequentiallyConsistent)
        original.withLock { $0 = shown }
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

    /// The terminal's settings from before they were changed, or nil if they were not.
    private static let original = Mutex<termios?>(nil)
    /// Whether a prompt waits, whose input nothing but Ctrl-C can interrupt.
    private static let isAsking = Atomic(false)

    /// Restores the settings of the terminal.
    ///
    /// - Returns: Whether there was a prompt, whose input nothing but Ctrl-C can interrupt.
    @discardableResult
    static func showTyping() -> Bool {
        guard
            var shown = original.withLock({ original in
                defer { original = nil }
                return original
            })
        else { return false }
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
        return isAsking.exchange(false, ordering: .relaxed)
    }
}
