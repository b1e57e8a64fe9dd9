// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The signals that the tool hands on to the command that it waits for.
///
/// A signal of the terminal is not handed on to a running command: the terminal has sent it to the command itself.
enum ForwardedSignals {
    /// The process ID of the command; 0 before it has started.
    private static let command = Atomic<pid_t>(0)
    /// The last signal that came before the command had started; 0 if none did.
    private static let early = Atomic<Int32>(0)

    /// The signals that end a program by default.
    private static let all = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]
    /// The signals whose handling ``Interrupt`` has changed.
    private static let interrupts = Interrupt.signals.filter { !Interrupt.ignoredByParent.contains($0) }
    /// The signals that the tool or its libraries ignore, and that the command must not ignore.
    private static let restored = interrupts + [SIGPIPE].filter { !Interrupt.ignoredByParent.contains($0) }

    /// Begins to receive the signals.
    ///
    /// A signal that the tool's parent ignores, as `nohup` does, stays ignored here and in the command.
    static func receive() {
        var action = sigaction()
        setHandler(of: &action)
        action.sa_flags = SA_SIGINFO | SA_RESTART
        var unblocked = sigset_t()
        unsafe sigemptyset(&unblocked)
        // ``Interrupt`` may have changed their handling.
        for number in Interrupt.ignoredByParent { signal(number, SIG_IGN) }
        for number in all where interrupts.contains(number) || !isIgnored(number) {
            unsafe sigaction(number, &action, nil)
            unsafe sigaddset(&unblocked, number)
        }
        unsafe pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    }

    /// The signal that came before the command had started, if one did.
    static var received: Int32? {
        let number = early.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Stops handing on signals: the command has ended, and another process may get its ID.
    static func stopForwarding() {
        command.store(0, ordering: .sequentiallyConsistent)
    }

    /// Hands on the signals from now on, and one that came before.
    static func forward(to process: pid_t) {
        command.store(process, ordering: .sequentiallyConsistent)
        let number = early.exchange(0, ordering: .sequentiallyConsistent)
        if number != 0 { kill(process, number) }
    }

    /// Returns attributes that give a command the signals as the tool itself got them.
    ///
    /// - Returns: The attributes, which the caller destroys.
    static func attributes() -> posix_spawnattr_t {
        var attributes = emptyAttributes()
        unsafe posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        for number in restored { unsafe sigaddset(&signals, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    /// Handles a signal, and calls nothing but async-signal-safe functions.
    private static func handle(_ number: Int32, isOfTerminal: Bool) {
        if isOfTerminal, command.load(ordering: .sequentiallyConsistent) != 0 { return }
        let error = errno
        early.store(number, ordering: .sequentiallyConsistent)
        let process = command.load(ordering: .sequentiallyConsistent)
        // Either this or ``forward(to:)`` finds the signal, and only one of them does.
        if process != 0, early.exchange(0, ordering: .sequentiallyConsistent) != 0 { kill(process, number) }
        errno = error
    }

    #if canImport(Glibc)
    private static func emptyAttributes() -> posix_spawnattr_t { posix_spawnattr_t() }

    private static func setHandler(of action: inout sigaction) {
        unsafe action.__sigaction_handler.sa_sigaction = { number, info, _ in
            guard let info = unsafe info else { return }
            // The terminal's signals come from the kernel (`SI_KERNEL`), others from a process.
            ForwardedSignals.handle(number, isOfTerminal: unsafe info.pointee.si_code > 0)
        }
    }

    /// Returns whether a signal is ignored now.
    static func isIgnored(_ number: Int32) -> Bool {
        var present = sigaction()
        unsafe sigaction(number, nil, &present)
        return unsafe unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
    #else
    private static func emptyAttributes() -> posix_spawnattr_t? { nil }

    private static func setHandler(of action: inout sigaction) {
        unsafe action.__sigaction_u.__sa_sigaction = { number, info, _ in
            guard let info = unsafe info else { return }
            // The terminal's signals come from the kernel, others from a process.
            ForwardedSignals.handle(number, isOfTerminal: unsafe info.pointee.si_pid == 0)
        }
    }

    /// Returns whether a signal is ignored now.
    static func isIgnored(_ number: Int32) -> Bool {
        var present = sigaction()
        unsafe sigaction(number, nil, &present)
        return unsafe unsafeBitCast(present.__sigaction_u.__sa_handler, to: Int.self) == 1
    }
    #endif
}
