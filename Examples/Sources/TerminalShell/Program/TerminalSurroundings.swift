// SPDX-License-Identifier: Apache-2.0

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

/// The capabilities of the program's terminal, derived from the environment.
struct TerminalSurroundings: Sendable, Hashable {
    /// Whether a screen can be drawn: input and output are a terminal that can move its cursor.
    var isDrawable: Bool
    /// Whether colours are wanted: any nonempty value of `NO_COLOR` turns them off (https://no-color.org).
    var isColoured: Bool
    /// Whether the environment asks for a Unicode locale, installed or not.
    ///
    /// The variables have the order of POSIX, Base Definitions, 8.2.
    var isUnicode: Bool

    /// The capabilities for this process.
    static var current: TerminalSurroundings {
        TerminalSurroundings(
            ProcessInfo.processInfo.environment,
            isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        )
    }

    /// Derives the capabilities from an environment.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - isTerminal: Whether input and output are a terminal.
    init(_ environment: [String: String], isTerminal: Bool) {
        let terminal = environment["TERM"] ?? ""
        isDrawable = isTerminal && !terminal.isEmpty && terminal != "dumb"
        isColoured = environment["NO_COLOR"]?.isEmpty != false
        // Without a locale, ncurses uses the one called C.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        isUnicode = locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
    }

    /// The size of the terminal, or nil if it is unknown.
    static var size: ScreenSize? {
        let size = shell_terminal_size()
        return size.columns > 0 ? ScreenSize(columns: Int(size.columns), rows: Int(size.rows)) : nil
    }
}
