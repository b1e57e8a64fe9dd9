import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Ctrl-C and a request to end: the work is cancelled, and what it leaves behind is whole.
enum Interrupt {
    static func watching(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        let task = Task { await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let cancelled = Atomic(false)
            source.setEventHandler {
                // Nothing has been done yet where the password is still being asked for, and its reader can't be woken.
                if StandardInput.showTyping() { ExitStatus.exit(.cancelled) }
                // The second one does not wait for anything.
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
