import CNcurses
import Dispatch
import UmuveBrands

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The shell drawn on a terminal, by ncurses.
@MainActor
final class CursesScreen: ShellScreen {
    let isAnimated = true
    let glyphs: Glyphs
    private let isColoured: Bool
    private let signals = SignalWatch()
    private var input: (any DispatchSourceRead)?

    /// Takes the terminal over; nil where it can't be drawn on.
    ///
    /// - Parameters:
    ///   - brand: Whose colour it is drawn in.
    ///   - surroundings: What the terminal can show.
    init?(_ brand: Brand, _ surroundings: TerminalSurroundings) {
        shell_take_locale(surroundings.isUnicode)
        // Before ncurses would put handlers of its own there, which write from inside of a signal.
        let own = [SIGINT, SIGTERM, SIGTSTP]
        for number in own { signal(number, SIG_IGN) }
        guard shell_curses_start() else {
            for number in own { signal(number, SIG_DFL) }
            return nil
        }
        // What is written, and not what the environment wishes.
        glyphs = shell_is_unicode() ? .unicode : .ascii
        let pairs = CursesLook.pairs(accent: brand.role == "driver" ? COLOR_GREEN : COLOR_CYAN)
        isColoured = surroundings.isColoured && Self.makeColours(pairs)
    }

    private static func makeColours(_ pairs: [Int16]) -> Bool {
        unsafe pairs.withUnsafeBufferPointer { unsafe shell_curses_colors($0.baseAddress, Int32($0.count / 2)) }
    }

    private var size: ScreenSize {
        ScreenSize(columns: Int(shell_curses_columns()), rows: Int(shell_curses_rows()))
    }

    func start(_ send: @escaping @MainActor (ShellEvent) -> Void) {
        signals.onEnd(send)
        signals.on(SIGWINCH) { [weak self] in self?.takeSize(send) }
        signals.on(SIGTSTP) { [weak self] in self?.suspend(send) }
        signals.on(SIGCONT) { [weak self] in self?.resume(send) }
        let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        input.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.read(send) }
        }
        input.resume()
        self.input = input
    }

    /// Tells all that has come, and where the terminal has gone.
    private func read(_ send: @MainActor (ShellEvent) -> Void) {
        // What this was called for may have been read after a resize already, so the system is asked.
        guard !forward(send), shell_input_is_gone() else { return }
        input?.cancel()
        send(.interrupt(128 + SIGHUP))
    }

    /// Tells all that has come.
    ///
    /// - Returns: Whether anything had.
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

    /// What the mouse did since it was last asked, in its order.
    private static func touches() -> [shell_input] {
        var touches: [shell_input] = []
        while true {
            let touch = shell_curses_mouse()
            guard Int(touch.kind) != SHELL_NOTHING else { return touches.reversed() }
            touches.append(touch)
        }
    }

    /// The window has another size: said by the system, and ncurses is told.
    private func takeSize(_ send: @MainActor (ShellEvent) -> Void) {
        guard let size = TerminalSurroundings.size else { return }
        shell_curses_resize(Int32(size.rows), Int32(size.columns))
        // It leaves a key in its own queue, which means nothing; what was typed meanwhile stands behind it.
        forward(send)
        send(.resize(size))
    }

    /// Ctrl-Z: the terminal is the shell's until this program goes on, at once where there is no such shell.
    private func suspend(_ send: @MainActor (ShellEvent) -> Void) {
        shell_curses_end()
        shell_stop()
        resume(send)
    }

    /// The program goes on: whoever had the terminal meanwhile has changed how it reads and what it shows.
    private func resume(_ send: @MainActor (ShellEvent) -> Void) {
        // In the background it may not draw: it stops again, and comes here when it goes on.
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
            let look = CursesLook(span.style, isColoured: isColoured)
            unsafe shell_curses_draw(
                Int32(span.position.row),
                Int32(span.position.column),
                writable(span.text),
                look.attributes,
                look.pair
            )
        }
        shell_curses_flush()
        return drawing
    }

    /// The text as the terminal's locale can write it.
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
