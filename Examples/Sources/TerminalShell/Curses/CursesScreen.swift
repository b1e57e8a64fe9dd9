// SPDX-License-Identifier: Apache-2.0

import CNcurses
import Dispatch
import UmuveBrands

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The shell's screen, drawn with ncurses.
@MainActor
final class CursesScreen: ShellScreen {
    let isAnimated = true
    let glyphs: Glyphs
    private let colors: CursesColors
    private let signals = SignalWatch()
    private var input: (any DispatchSourceRead)?

    /// Takes over the terminal, or returns nil if ncurses can't draw on it.
    ///
    /// - Parameters:
    ///   - brand: The brand, which decides the colours.
    ///   - environment: The terminal's capabilities.
    init?(_ brand: Brand, _ environment: TerminalSurroundings) {
        shell_take_locale(environment.isUnicode)
        // Ignored before ncurses installs its own handlers, which write to the terminal inside a signal handler.
        let own = [SIGINT, SIGTERM, SIGTSTP]
        for number in own { signal(number, SIG_IGN) }
        guard shell_curses_start() else {
            for number in own { signal(number, SIG_DFL) }
            return nil
        }
        // Uses the actual locale, which can differ from the one in the environment.
        var glyphs = shell_is_unicode() ? Glyphs.unicode : .ascii
        colors = CursesColors(brand.palette, isColoured: environment.isColoured)
        glyphs.hasGradients = glyphs.hasPictures && colors.depth.isExact
        self.glyphs = glyphs
    }

    private var size: ScreenSize {
        ScreenSize(columns: Int(shell_curses_columns()), rows: Int(shell_curses_rows()))
    }

    func start(_ send: @escaping @MainActor (ShellEvent) -> Void) {
        signals.onEnd(send)
        signals.on(SIGWINCH, asksAtFirst: true) { [weak self] in self?.takeSize(send) }
        signals.on(SIGTSTP) { [weak self] in self?.suspend(send) }
        signals.on(SIGCONT) { [weak self] in self?.resume(send) }
        let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        input.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.read(send) }
        }
        input.resume()
        self.input = input
    }

    /// Forwards the input, and ends the shell if the terminal is gone.
    private func read(_ send: @MainActor (ShellEvent) -> Void) {
        // A resize may have read this input already, so the system is asked whether the terminal is gone.
        guard !forward(send), shell_input_is_gone() else { return }
        input?.cancel()
        send(.interrupt(128 + SIGHUP))
    }

    /// Forwards all available input.
    ///
    /// - Returns: Whether there was any input.
    @discardableResult
    private func forward(_ send: @MainActor (ShellEvent) -> Void) -> Bool {
        var hasRead = false
        while true {
            let next = shell_curses_read()
            guard Int(next.kind) != SHELL_NOTHING else { return hasRead }
            hasRead = true
            let inputs = Int(next.kind) == SHELL_MOUSE ? Self.touches() : [next]
            for event in inputs.compactMap({ CursesKeys.event(of: $0) }) { send(event) }
        }
    }

    /// Returns the mouse events since the last call, the oldest first.
    private static func touches() -> [shell_input] {
        var touches: [shell_input] = []
        while true {
            let touch = shell_curses_mouse()
            guard Int(touch.kind) != SHELL_NOTHING else { return touches.reversed() }
            touches.append(touch)
        }
    }

    /// Passes the window's new size from the system to ncurses and the shell.
    private func takeSize(_ send: @MainActor (ShellEvent) -> Void) {
        guard let size = TerminalSurroundings.size else { return }
        shell_curses_resize(Int32(size.rows), Int32(size.columns))
        // Removes the meaningless key that ncurses queues on a resize, and handles the keys behind it.
        forward(send)
        send(.resize(size))
    }

    /// Suspends the program on Ctrl-Z, and resumes at once if no shell can continue it.
    private func suspend(_ send: @MainActor (ShellEvent) -> Void) {
        shell_curses_end()
        shell_stop()
        resume(send)
    }

    /// Sets up the terminal again when the program continues, because other programs may have changed it.
    private func resume(_ send: @MainActor (ShellEvent) -> Void) {
        // A background process may not draw: it stops again, and gets here when it continues.
        guard shell_is_in_foreground() else { return shell_stop() }
        shell_curses_end()
        shell_curses_redraw()
        takeSize(send)
        send(.key(.redraw))
    }

    func show(_ model: ShellModel) -> Drawing? {
        let drawing = Layout.drawing(of: model, in: size)
        shell_curses_clear()
        for span in drawing.spans {
            let look = colors.look(of: span.style)
            unsafe shell_curses_draw(
                Int32(span.position.row),
                Int32(span.position.column),
                writable(span.text),
                look.attributes,
                colors.pair(of: look)
            )
        }
        shell_curses_cursor(Int32(drawing.cursor?.row ?? -1), Int32(drawing.cursor?.column ?? 0))
        shell_curses_flush()
        return drawing
    }

    /// Returns the text with characters that the terminal's locale can write.
    private func writable(_ text: String) -> String {
        guard glyphs == .ascii else { return text }
        return String(
            text.map { character -> Character in
                if character.isASCII { return character }
                return character == "…" || character == "·" ? "." : "?"
            }
        )
    }

    func redraw() {
        shell_curses_redraw()
    }

    func end() {
        input?.cancel()
        signals.cancel()
        shell_curses_end()
    }
}
