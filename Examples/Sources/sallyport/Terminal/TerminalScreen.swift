// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The capabilities of the terminal behind standard error.
struct TerminalScreen: Sendable {
    let columns: Int
    let takesColours: Bool
    let takesBlocks: Bool

    /// The current capabilities, or nil if standard error is not a terminal.
    static var current: TerminalScreen? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        let environment = ProcessInfo.processInfo.environment
        return TerminalScreen(
            columns: width ?? 80,
            takesColours: isColoured(environment),
            takesBlocks: isUnicode(environment)
        )
    }

    /// Returns whether colours are wanted: any nonempty value of `NO_COLOR` turns them off (https://no-color.org).
    private static func isColoured(_ environment: [String: String]) -> Bool {
        let terminal = environment["TERM"] ?? ""
        return environment["NO_COLOR"]?.isEmpty != false && !terminal.isEmpty && terminal != "dumb"
    }

    /// Returns whether the locale is Unicode or unset; POSIX, Base Definitions, 8.2 has the order of the variables.
    private static func isUnicode(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = locale?.lowercased() ?? "utf-8"
        return name.contains("utf-8") || name.contains("utf8")
    }

    private static var width: Int? {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
