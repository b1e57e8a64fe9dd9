// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import AuthCore
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
    private struct State {
        /// The transfers that are new to the thread, or that their callers have ended.
        var news: [CurlTransfer] = []
        var isRunning = false
        /// Whether the thread looks at nothing here before it is woken.
        var isAsleep = false

        mutating func takeNews() -> [CurlTransfer] {
            defer { news = [] }
            return news
        }
    }

    static let shared = CurlLoop()

    private let maximumCount: Int
    private let idleTime: Duration
    /// The descriptor whose event wakes the thread; negative if the system has no more.
    private let alarm = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private let state = Mutex(State())

    /// Creates a loop for tests; more than 256 transfers at once could use up a process's descriptors.
    init(maximumCount: Int = 256, idleTime: Duration = .seconds(60)) {
        (self.maximumCount, self.idleTime) = (maximumCount, idleTime)
    }

    deinit { close(alarm) }

    /// Hands the thread a transfer that is new, or that its caller has ended.
    func hand(_ transfer: CurlTransfer) {
        let (wakes, orphans) = state.withLock { state in
            state.news.append(transfer)
            if !state.isRunning { state.isRunning = start() }
            // Once is enough until the thread sleeps again.
            defer { state.isAsleep = false }
            return (state.isAsleep, state.isRunning ? [] : state.takeNews())
        }
        // Outside the lock, which the thread takes first of all.
        if wakes { eventfd_write(alarm, 1) }
        for orphan in orphans { orphan.fail() }
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
        let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context = unsafe context { unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run() }
            return nil
        }
        let result = unsafe pthread_create(&thread, nil, main, context.toOpaque())
        if result == 0 { pthread_detach(thread) } else { unsafe context.release() }
        return result == 0
    }

    /// Gives the thread its news; a function of its own, so that nothing is kept while it sleeps.
    private func takeNews(to transfers: inout CurlTransfers) {
        let news = state.withLock { state in
            state.isAsleep = false
            return state.takeNews()
        }
        for transfer in news { transfers.take(transfer) }
    }

    private func run() {
        guard var transfers = CurlTransfers(maximumCount: maximumCount) else {
            let orphans = state.withLock { state in
                state.isRunning = false
                return state.takeNews()
            }
            for orphan in orphans { orphan.fail() }
            return
        }
        var idleSince: SuspendingClock.Instant?
        while true {
            takeNews(to: &transfers)
            transfers.perform()
            idleSince = transfers.isIdle ? idleSince ?? .now : nil
            let isOver = idleSince.map { .now - $0 >= idleTime } ?? false
            let mayWait = state.withLock { state in
                guard state.news.isEmpty else { return false }
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

/// The transfers of the loop's thread and libcurl's handles, all of it for this thread alone.
@safe private struct CurlTransfers {
    private static let maximumSpareCount = 64

    private let curl: UnsafePointer<sallyport_curl>
    private let multi: UnsafeMutableRawPointer
    private let maximumCount: Int
    private let sockets = CurlSockets()
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = unsafe [:]
    /// Transfers for which there is no room yet.
    private var waiting: [CurlTransfer] = []
    /// Handles for further transfers, without options.
    private var spare: [UnsafeMutableRawPointer] = unsafe []

    init?(maximumCount: Int) {
        guard let curl = unsafe CurlOptions.library, let multi = unsafe curl.pointee.multi_init() else { return nil }
        unsafe (self.curl, self.multi, self.maximumCount) = (curl, multi, maximumCount)
        unsafe sallyport_curl_multi_set_long(curl, multi, CURLMOPT_MAXCONNECTS, maximumCount)
    }

    var isIdle: Bool { unsafe active.isEmpty && waiting.isEmpty }

    /// Takes a transfer that is new, or that its caller has ended.
    mutating func take(_ transfer: CurlTransfer) {
        if !transfer.end.isFinished {
            waiting.append(transfer)
        } else if let easy = unsafe transfer.easy {
            unsafe remove(easy)
        }
    }

    /// Runs every transfer as far as it goes without waiting, and finishes those that are over.
    mutating func perform() {
        startWaiting()
        repeat {
            var count: Int32 = 0
            _ = unsafe curl.pointee.multi_perform(multi, &count)
            while let message = unsafe curl.pointee.multi_info_read(multi, &count) {
                guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                    continue
                }
                unsafe finish(easy, message.pointee.data.result)
            }
        } while startWaiting()
    }

    /// Waits for events, and returns whether a descriptor can be read.
    ///
    /// Transfers have timers of their own; those that wait for their turn don't.
    func wait(for descriptor: Int32, atMost time: Duration) -> Bool {
        let milliseconds = Int32(min(time, waiting.isEmpty ? time : .milliseconds(100)) / .milliseconds(1))
        var event = curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        _ = unsafe curl.pointee.multi_poll(multi, &event, 1, milliseconds, nil)
        return event.revents != 0
    }

    /// Releases everything, and closes the connections, whose sockets are released at ``CurlSockets``.
    mutating func end() {
        while let easy = unsafe spare.popLast() { unsafe curl.pointee.easy_cleanup(easy) }
        withExtendedLifetime(sockets) { _ = unsafe curl.pointee.multi_cleanup(multi) }
    }

    /// Starts transfers as long as there is room, and ends those that waited too long; returns whether it started one.
    @discardableResult private mutating func startWaiting() -> Bool {
        if waiting.isEmpty { return false }
        let count = min(waiting.count, unsafe maximumCount - active.count)
        for transfer in waiting.prefix(count) where !transfer.end.isFinished { start(transfer) }
        waiting.removeFirst(count)
        waiting.removeAll { transfer in
            if transfer.deadline.remaining <= .zero {
                transfer.finish(throwing: TransportError(.timedOut, mayHaveReachedServer: transfer.wasSent))
            }
            return transfer.end.isFinished
        }
        return count > 0
    }

    private mutating func start(_ transfer: CurlTransfer) {
        if let easy = unsafe spare.popLast() ?? curl.pointee.easy_init() {
            unsafe transfer.configure(CurlOptions(curl: curl, easy: easy), sockets)
            unsafe active[easy] = transfer
            if unsafe curl.pointee.multi_add_handle(multi, easy) == CURLM_OK { return }
            unsafe remove(easy)
        }
        transfer.fail()
    }

    private mutating func finish(_ easy: UnsafeMutableRawPointer, _ result: CURLcode) {
        guard let transfer = unsafe active[easy] else { return }
        let options = unsafe CurlOptions(curl: curl, easy: easy)
        let error = result == CURLE_OK ? nil : options.error(result, of: transfer)
        unsafe remove(easy)
        if transfer.startsAgain(after: result) { waiting.append(transfer) } else { transfer.finish(throwing: error) }
    }

    /// Takes a handle from libcurl, which closes the connection of an unfinished transfer.
    private mutating func remove(_ easy: UnsafeMutableRawPointer) {
        _ = unsafe curl.pointee.multi_remove_handle(multi, easy)
        unsafe active.removeValue(forKey: easy)?.easy = nil
        if unsafe spare.count < Self.maximumSpareCount {
            unsafe curl.pointee.easy_reset(easy)
            unsafe spare.append(easy)
        } else {
            unsafe curl.pointee.easy_cleanup(easy)
        }
    }
}

/// The sockets of libcurl's connections, for the loop's thread alone.
///
/// libcurl takes what a server has sent on an idle connection, such as a 408, for the response to the next request:
/// every request after it would get another's response. Its newer versions refuse such a connection; this does for all.
final class CurlSockets {
    /// The local ports of the connections that have had a request, by descriptor.
    private var ports: [Int32: Int32] = [:]

    /// Notes the connection from a local port, which came of one of some sockets.
    ///
    /// libcurl has closed the others, and not always by ``release(_:)``.
    func note(_ port: Int32, of opened: [Int32]) {
        for descriptor in opened where Self.localPort(of: descriptor) == port { ports[descriptor] = port }
    }

    func release(_ descriptor: Int32) -> Int32 {
        ports[descriptor] = nil
        return close(descriptor)
    }

    /// Whether nothing has come on the connection from a local port, neither bytes nor its end.
    ///
    /// Connections to two servers may share a port. Then both are examined.
    func isSilent(_ port: Int32) -> Bool {
        var events = ports.compactMap { $1 == port ? pollfd(fd: $0, events: Int16(POLLIN), revents: 0) : nil }
        return unsafe !events.isEmpty && poll(&events, nfds_t(events.count), 0) == 0
    }

    private static func localPort(of descriptor: Int32) -> Int32? {
        var (address, size) = (sockaddr_in6(), socklen_t(MemoryLayout<sockaddr_in6>.size))
        // Safe: the pointer is to an address whose size goes with it, and is used within the call.
        let result = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &size) }
        }
        // The port stands at the same place in an address of either version.
        return result == 0 ? Int32(UInt16(bigEndian: address.sin6_port)) : nil
    }
}
#endif
