// SPDX-License-Identifier: Apache-2.0

import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The delivery of signals on the main actor, instead of their default actions.
@MainActor
final class SignalWatch {
    private var sources: [any DispatchSourceSignal] = []
    private var taken: [Int32] = []

    /// Handles a signal.
    ///
    /// - Parameters:
    ///   - number: The signal.
    ///   - asksAtFirst: Whether to call the handler once when signals begin to arrive, as an earlier signal is lost.
    ///   - handle: The handler.
    func on(_ number: Int32, asksAtFirst: Bool = false, _ handle: @escaping @MainActor () -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated { handle() } }
        if asksAtFirst { source.setRegistrationHandler { MainActor.assumeIsolated { handle() } } }
        source.resume()
        sources.append(source)
        taken.append(number)
    }

    /// Handles the signals that end a program, so that the terminal is released first.
    func onEnd(_ send: @escaping @MainActor (ShellEvent) -> Void) {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // The exit code that a shell reports for a program ended by a signal.
            on(number) { send(.interrupt(128 + number)) }
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
        sources = []
        // Restores the default actions, so that the user can end the program during the remaining work.
        for number in taken { signal(number, SIG_DFL) }
        taken = []
    }
}
