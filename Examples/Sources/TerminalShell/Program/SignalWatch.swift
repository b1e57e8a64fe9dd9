import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Signals as calls on the main actor, in place of what they would do to the process.
@MainActor
final class SignalWatch {
    private var sources: [any DispatchSourceSignal] = []
    private var taken: [Int32] = []

    /// Takes a signal over.
    func on(_ number: Int32, _ handle: @escaping @MainActor () -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated { handle() } }
        source.resume()
        sources.append(source)
        taken.append(number)
    }

    /// Takes over what ends a program: the terminal is given back first.
    func onEnd(_ send: @escaping @MainActor (ShellEvent) -> Void) {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // What a shell says of a program that a signal has ended.
            on(number) { send(.interrupt(128 + number)) }
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
        sources = []
        // Who is impatient with what is left to do may end it.
        for number in taken { signal(number, SIG_DFL) }
        taken = []
    }
}
