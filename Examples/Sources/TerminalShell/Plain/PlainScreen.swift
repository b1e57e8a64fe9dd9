// SPDX-License-Identifier: Apache-2.0

import CNcurses
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The shell line by line, for a screen reader, a terminal that can't move its cursor, or no terminal.
@MainActor
final class PlainScreen: ShellScreen {
    let isAnimated = false
    let glyphs = Glyphs.ascii
    private let signals = SignalWatch()
    private let echo = TerminalEcho()
    private var shown: PlainText?

    func start(_ send: @escaping @MainActor (ShellEvent) -> Void) {
        signals.onEnd(send)
        signals.on(SIGTSTP) { [echo] in
            echo.suspend()
            shell_stop()
            echo.apply()
            // Reads all again, as the user has done something else in between.
            send(.key(.redraw))
        }
        signals.on(SIGCONT) { [echo] in echo.apply() }
        // A blocking thread, because input may be a file or a pipe, whose end an event source doesn't report reliably.
        DispatchQueue(label: "sallyport.shell.input").async {
            var buffer = LineBuffer()
            var bytes = [UInt8](repeating: 0, count: 1_024)
            while true {
                let count = unsafe bytes.withUnsafeMutableBytes { unsafe Self.readOnce($0) }
                guard count > 0 else { break }
                let lines = buffer.take(bytes.prefix(count))
                DispatchQueue.main.async { MainActor.assumeIsolated { for line in lines { send(.line(line)) } } }
            }
            // The input has ended, so the user can't choose any more.
            DispatchQueue.main.async { MainActor.assumeIsolated { send(.interrupt(0)) } }
        }
    }

    func show(_ model: ShellModel) -> Drawing? {
        // Before the prompt, so that nothing is shown of a fast answer.
        if model.isTypingSecret { echo.hide() } else { echo.show() }
        let text = PlainText(model)
        say(text.announcement(after: shown) { model.title(of: $0) })
        shown = text
        return nil
    }

    func redraw() {
        shown = nil
    }

    func end() {
        echo.show()
        signals.cancel()
    }

    private func say(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        var rest = Array((lines.joined(separator: "\n") + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Self.writeOnce($0) }
            // The output is closed.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private nonisolated static func readOnce(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.read(STDIN_FILENO, bytes.baseAddress, bytes.count)
        #else
        unsafe Darwin.read(STDIN_FILENO, bytes.baseAddress, bytes.count)
        #endif
    }

    private static func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #else
        unsafe Darwin.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #endif
    }
}
