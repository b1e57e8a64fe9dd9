// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The terminal's echo of what the user types, which is off while the user types a secret.
@MainActor
final class TerminalEcho {
    /// The settings from before the echo was turned off, or nil if it is on.
    private var shown: termios?

    /// Turns the echo off; does nothing if the input is no terminal.
    ///
    /// What was typed before stays in the input. The end of the line is still shown.
    func hide() {
        var settings = termios()
        guard shown == nil, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        shown = settings
        apply()
    }

    /// Turns the echo off again after another program has changed the terminal.
    func apply() {
        guard var hidden = shown else { return }
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL)
        unsafe tcsetattr(STDIN_FILENO, TCSANOW, &hidden)
    }

    /// Restores the settings for the time in which another program uses the terminal.
    func suspend() {
        guard var shown else { return }
        unsafe tcsetattr(STDIN_FILENO, TCSANOW, &shown)
    }

    /// Restores the settings.
    func show() {
        suspend()
        shown = nil
    }
}
