// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The handling of SIGINT, SIGTERM and SIGQUIT, which cancels the work and leaves nothing incomplete.
enum Interrupt {
    /// The signals that cancel the work.
    ///
    /// By default, SIGQUIT would leave the terminal's settings changed, and an image of the memory with its tokens.
    static let signals = [SIGINT, SIGTERM, SIGQUIT]

    /// The signals that the tool's parent ignores, as a shell does for a command in the background.
    ///
    /// Known only before the handling is changed, so the first call of ``watching(_:)`` reads it.
    static let ignoredByParent = Set((signals + [SIGPIPE]).filter(ForwardedSignals.isIgnored))

    static func watching(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        _ = ignoredByParent
        let task = Task { await work() }
        let sources = signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let cancelled = Atomic(false)
            source.setEventHandler {
                // A password prompt can't be woken, and nothing has been done before it, so the tool exits at once.
                if StandardInput.showTyping() { ExitStatus.exit(.cancelled) }
                // A second signal exits at once.
                if cancelled.exchange(true, ordering: .relaxed) { ExitStatus.exit(.cancelled) }
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        let status = await task.value
        return task.isCancelled && status == .done ? .cancelled : status
    }
}
