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
            return fail(orphans)
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

    private let curl: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    private let maximumCount: Int
    private let sockets = CurlSockets()
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = unsafe [:]
    /// Transfers for which there is no room yet.
    private var waiting: [CurlTransfer] = []
    /// Handles for further transfers, without options.
    private var spare: [UnsafeMutableRawPointer] = unsafe []

    init?(maximumCount: Int) {
        self.maximumCount = maximumCount
        guard let curl = CurlLibrary.shared else { return nil }
        self.curl = curl
        guard let multi = unsafe curl.functions.pointee.multi_init() else { return nil }
        unsafe self.multi = multi
        unsafe sallyport_curl_multi_set_long(curl.functions, multi, CURLMOPT_MAXCONNECTS, maximumCount)
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
            _ = unsafe curl.functions.pointee.multi_perform(multi, &count)
            while let message = unsafe curl.functions.pointee.multi_info_read(multi, &count) {
                guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                    continue
                }
                unsafe finish(easy, message.pointee.data.result)
            }
        } while startWaiting()
    }

    /// Waits for events, also of a descriptor.
    ///
    /// Transfers have timers of their own; those that wait for their turn don't.
    ///
    /// - Returns: Whether the descriptor can be read.
    func wait(for descriptor: Int32, atMost time: Duration) -> Bool {
        let milliseconds = Int32(min(time, waiting.isEmpty ? time : .milliseconds(100)) / .milliseconds(1))
        var event = curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        _ = unsafe curl.functions.pointee.multi_poll(multi, &event, 1, milliseconds, nil)
        return event.revents != 0
    }

    /// Releases everything; closes the connections.
    mutating func end() {
        while let easy = unsafe spare.popLast() { unsafe curl.functions.pointee.easy_cleanup(easy) }
        // Closes the connections, whose sockets are released at this object.
        withExtendedLifetime(sockets) { _ = unsafe curl.functions.pointee.multi_cleanup(multi) }
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
        guard let easy = unsafe spare.popLast() ?? curl.functions.pointee.easy_init() else {
            transfer.finish(throwing: TransportError(.failed, mayHaveReachedServer: transfer.wasSent))
            return
        }
        unsafe transfer.configure(curl, easy, sockets)
        unsafe active[easy] = transfer
        guard unsafe curl.functions.pointee.multi_add_handle(multi, easy) != CURLM_OK else { return }
        unsafe remove(easy)
        transfer.finish(throwing: TransportError(.failed, mayHaveReachedServer: transfer.wasSent))
    }

    private mutating func finish(_ easy: UnsafeMutableRawPointer, _ result: CURLcode) {
        guard let transfer = unsafe active[easy] else { return }
        let options = unsafe CurlOptions(curl, easy)
        let error = result == CURLE_OK ? nil : options.error(result, of: transfer)
        if result == CURLE_BAD_CONTENT_ENCODING { transfer.noteFalseEncoding() }
        unsafe remove(easy)
        if transfer.startsAgain(after: result) { waiting.append(transfer) } else { transfer.finish(throwing: error) }
    }

    /// Takes a handle from libcurl, which closes the connection of an unfinished transfer.
    private mutating func remove(_ easy: UnsafeMutableRawPointer) {
        _ = unsafe curl.functions.pointee.multi_remove_handle(multi, easy)
        unsafe active.removeValue(forKey: easy)?.easy = nil
        if unsafe spare.count < Self.maximumSpareCount {
            unsafe curl.functions.pointee.easy_reset(easy)
            unsafe spare.append(easy)
        } else {
            unsafe curl.functions.pointee.easy_cleanup(easy)
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
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe getsockname(descriptor, pointer, &size)
            }
        }
        // The port stands at the same place in an address of either version.
        return result == 0 ? Int32(UInt16(bigEndian: address.sin6_port)) : nil
    }
}
#endif
