import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the tool reads.
enum StandardInput {
    /// More than this is nothing that this tool was meant to be given.
    private static let limit = 16 * 1_024 * 1_024

    /// Everything, to the end.
    static func readAll() throws -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw Failure(.failed, "Standard input can't be read.", "Check what feeds it.") }
            guard count > 0 else { return content }
            content += buffer.prefix(count)
            guard content.count <= limit else {
                throw Failure(.wrongArguments, "Standard input is too large.", "Give at most 16 MiB.")
            }
        }
    }

    /// The first line, without its end.
    static func readFirstLine() throws -> String {
        let line = try readAll().prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(decoding: line, as: UTF8.self)
    }

    /// The first line, which must say something.
    static func readPassword() throws -> String {
        let password = try readFirstLine()
        guard !password.isEmpty else {
            throw Failure(.wrongArguments, "No password came on standard input.", "Give it on the first line.")
        }
        return password
    }

    /// Asks on the terminal, without showing what is typed.
    ///
    /// - Parameters:
    ///   - prompt: What the person reads.
    ///   - advice: What to do where there is no terminal.
    /// - Returns: The answer. Secret.
    /// - Throws: ``Failure`` where there is no terminal.
    static func askHidden(_ prompt: String, instead advice: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(.wrongArguments, "There is no terminal to ask on: \(prompt.prefix { $0 != ":" }).", advice)
        }
        var shown = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw Failure(.failed, "The terminal can't be asked.", advice)
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        asked.withLock { $0 = shown }
        defer {
            showTyping()
            Terminal.note("")
        }
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw Failure(.failed, "The terminal would show what is typed.", advice)
        }
        Terminal.note(prompt)
        return readLine(strippingNewline: true) ?? ""
    }

    /// The terminal's settings from before the question; nil while nothing is asked.
    private static let asked = Mutex<termios?>(nil)

    /// Makes the terminal show again what is typed, where a question had made it stop.
    ///
    /// - Returns: Whether a question was being asked, whose answer nothing but Ctrl-C can end.
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
