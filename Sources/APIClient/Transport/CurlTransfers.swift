// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import AuthCore
import CCurl

/// The transfers of the loop's thread and libcurl's handles, all of it for this thread alone.
@safe struct CurlTransfers {
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

    mutating func update(adding added: [CurlTransfer], cancelling cancelled: [CurlTransfer]) {
        waiting += added
        for transfer in cancelled {
            // One that has no handle waits here, or is over; it is left out when its turn comes.
            if let easy = unsafe transfer.easy { unsafe remove(easy) }
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
        _ = unsafe curl.functions.pointee.multi_cleanup(multi)
    }

    /// Starts transfers as long as there is room, and ends those that waited too long; returns whether it started one.
    @discardableResult private mutating func startWaiting() -> Bool {
        if waiting.isEmpty { return false }
        let count = min(waiting.count, unsafe maximumCount - active.count)
        for transfer in waiting.prefix(count) where !transfer.isFinished { start(transfer) }
        waiting.removeFirst(count)
        waiting.removeAll { transfer in
            if transfer.deadline.remaining <= .zero {
                transfer.finish(throwing: TransportError(.timedOut, mayHaveReachedServer: transfer.wasSent))
            }
            return transfer.isFinished
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
        if result == CURLE_ABORTED_BY_CALLBACK, transfer.fault == nil, !transfer.connectsAfresh {
            unsafe remove(easy)
            transfer.connectsAfresh = true
            waiting.append(transfer)
            return
        }
        let options = unsafe CurlOptions(curl, easy)
        let error = result == CURLE_OK ? nil : CurlErrorMapping.error(result, of: transfer, options)
        unsafe remove(easy)
        transfer.finish(throwing: error)
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
#endif
