// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import CCurl
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The thread that runs all transfers of the process, and its queue.
///
/// The thread starts with the first transfer. While none is on its way it sleeps, and after a minute of that it ends
/// and closes its connections. A process that was forked without `exec` has no such thread.
final class CurlLoop: Sendable {
    /// The transfers that the thread has not seen yet, and the thread.
    private struct State {
        var added: [CurlTransfer] = []
        var cancelled: [CurlTransfer] = []
        var isRunning = false
        /// Whether the thread looks at nothing here before it is woken.
        var isAsleep = false

        mutating func takeAdded() -> [CurlTransfer] {
            defer { added = [] }
            return added
        }
    }

    /// The loop of the process.
    static let shared = CurlLoop()

    private let maximumCount: Int
    private let idleTime: Duration
    /// The descriptor whose event wakes the thread; negative if the system has no more.
    private let alarm = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private let state = Mutex(State())

    /// Creates a loop, for tests.
    ///
    /// - Parameters:
    ///   - maximumCount: The number of transfers at once. More than 256 could use up the descriptors of a process.
    ///   - idleTime: The time without a transfer after which the thread ends.
    init(maximumCount: Int = 256, idleTime: Duration = .seconds(60)) {
        (self.maximumCount, self.idleTime) = (maximumCount, idleTime)
    }

    deinit {
        close(alarm)
    }

    /// Adds a transfer, which the thread finishes.
    func add(_ transfer: CurlTransfer) { change { $0.added.append(transfer) } }

    /// Ends a transfer whose caller was cancelled.
    func cancel(_ transfer: CurlTransfer) { change { $0.cancelled.append(transfer) } }

    private func change(_ change: (inout State) -> Void) {
        let (wakes, orphans) = state.withLock { state in
            change(&state)
            if !state.isRunning { state.isRunning = start() }
            // Once is enough until the thread sleeps again.
            defer { state.isAsleep = false }
            return (state.isAsleep, state.isRunning ? [] : state.takeAdded())
        }
        // Outside the lock, which the thread takes first of all.
        if wakes { eventfd_write(alarm, 1) }
        fail(orphans)
    }

    /// Ends transfers that no thread will run: there is no libcurl, or no more threads or memory.
    private func fail(_ transfers: [CurlTransfer]) {
        let error = TransportError(
            .failed,
            mayHaveReachedServer: false,
            underlying: CurlError(number: CURLE_FAILED_INIT.rawValue, systemError: 0)
        )
        for transfer in transfers { transfer.finish(throwing: error) }
    }

    /// Starts the thread, with all signals blocked: they are the app's, and SIGPIPE would end the process.
    private func start() -> Bool {
        guard alarm >= 0 else { return false }
        var (all, before) = (sigset_t(), sigset_t())
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        // Safe: the thread releases what is retained here.
        let context = unsafe Unmanaged.passRetained(self)
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        if result == 0 { pthread_detach(thread) } else { unsafe context.release() }
        return result == 0
    }

    /// Gives the thread what was added and cancelled; a function of its own, so that nothing is kept while it sleeps.
    private func takeNews(to transfers: inout CurlTransfers) {
        let (added, cancelled) = state.withLock { state in
            state.isAsleep = false
            defer { state.cancelled = [] }
            return (state.takeAdded(), state.cancelled)
        }
        transfers.update(adding: added, cancelling: cancelled)
    }

    private func run() {
        guard var transfers = CurlTransfers(maximumCount: maximumCount) else {
            let orphans = state.withLock { state in
                state.isRunning = false
                return state.takeAdded()
            }
            return fail(orphans)
        }
        var idleSince: SuspendingClock.Instant?
        while true {
            takeNews(to: &transfers)
            transfers.perform()
            idleSince = transfers.isIdle ? idleSince ?? .now : nil
            let isOver = idleSince.map { .now - $0 >= idleTime } ?? false
            let mayWait = state.withLock { state in
                guard state.added.isEmpty && state.cancelled.isEmpty else { return false }
                if isOver { state.isRunning = false } else { state.isAsleep = true }
                return true
            }
            guard mayWait else { continue }
            if isOver { break }
            if transfers.wait(for: alarm, atMost: idleTime) {
                var count: eventfd_t = 0
                unsafe eventfd_read(alarm, &count)
            }
        }
        transfers.end()
    }
}
#endif
