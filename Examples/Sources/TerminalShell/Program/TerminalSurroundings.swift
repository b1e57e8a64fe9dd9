import CNcurses

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the terminal that the program runs in can show, by its environment.
struct TerminalSurroundings: Sendable, Hashable {
    /// Whether a screen can be drawn: a terminal at both ends that can move its cursor.
    var isDrawable: Bool
    /// Whether colours are wanted: https://no-color.org has the rule, any value but an empty one says no.
    var isColoured: Bool
    /// Whether the locale is to be Unicode, installed or not; POSIX, Base Definitions, 8.2 has the order of its variables.
    var isUnicode: Bool

    /// What this process finds.
    static var current: TerminalSurroundings {
        TerminalSurroundings(
            ProcessInfo.processInfo.environment,
            isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        )
    }

    /// Judges an environment.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - isTerminal: Whether input and output are a terminal.
    init(_ environment: [String: String], isTerminal: Bool) {
        let terminal = environment["TERM"] ?? ""
        isDrawable = isTerminal && !terminal.isEmpty && terminal != "dumb"
        isColoured = environment["NO_COLOR"]?.isEmpty != false
        // No locale at all is the one called C, which ncurses goes by.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        isUnicode = locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
    }

    /// How large the terminal is; nil where it does not say.
    static var size: ScreenSize? {
        let size = shell_terminal_size()
        return size.columns > 0 ? ScreenSize(columns: Int(size.columns), rows: Int(size.rows)) : nil
    }
}
