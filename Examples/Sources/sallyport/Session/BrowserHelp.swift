// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Synchronization

/// The help that the tool prints if the browser doesn't come back: after a while, on Ctrl-C, or at the end of the wait.
///
/// A provider that refuses a request on its own page doesn't redirect, so that nothing else would tell.
final class BrowserHelp: Sendable {
    private static let delay = Duration.seconds(15)

    private struct State {
        var help: SignInHelp?
        var isShown = false
        var timer: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Begins the wait for the browser.
    func begin(_ request: AuthorizationRequest) {
        let timer = Task {
            do { try await Task.sleep(for: Self.delay) } catch { return }
            show()
        }
        state.withLock { state in
            state.help = SignInHelp(request)
            state.timer = timer
        }
    }

    /// Ends the wait.
    func end() {
        state.withLock { $0.timer?.cancel() }
    }

    /// Prints the help, once.
    func show() {
        if let advice = advice() { Terminal.note(advice) }
    }

    /// The help as the advice of a failure; nil if it was printed, or the browser was not opened.
    func advice() -> String? {
        let title = "If the browser shows an error, compare these values with the client's settings at the provider:"
        return take().map { help in ([title] + help.causes.map { "    " + Self.line($0) }).joined(separator: "\n") }
    }

    private static func line(_ cause: SignInHelp.Cause) -> String {
        let option = cause.name == "redirect_uri" ? " (--redirect-port, --redirect-host, --redirect-path)" : ""
        return "\(cause.name) \(Terminal.shown(cause.value) ?? "")\(option): \(cause.advice)"
    }

    private func take() -> SignInHelp? {
        state.withLock { state in
            guard !state.isShown, let help = state.help else { return nil }
            state.isShown = true
            return help
        }
    }
}
