// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import AuthCore
import CCurl

/// The handle of all transfers, to wake its thread.
///
/// `Sendable` because this is the one call that libcurl allows on any thread.
@safe struct CurlWakeup: @unchecked Sendable {
    fileprivate let multi: UnsafeMutableRawPointer

    func wake() { unsafe curl_multi_wakeup(multi) }
}

/// The transfers of the loop's thread and libcurl's handles, all of it for this thread alone.
@safe struct CurlTransfers {
    private static let maximumSpareCount = 64

    private let multi: UnsafeMutableRawPointer
    private let maximumCount: Int
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = unsafe [:]
    /// Transfers for which there is no room yet.
    private var waiting: [CurlTransfer] = []
    /// Handles for further transfers, without options.
    private var spare: [UnsafeMutableRawPointer] = unsafe []

    init?(maximumCount: Int) {
        self.maximumCount = maximumCount
        guard let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
        unsafe sallyport_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.maximumSpareCount)
    }

    var wakeup: CurlWakeup { unsafe CurlWakeup(multi: multi) }

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
            unsafe curl_multi_perform(multi, &count)
            while let message = unsafe curl_multi_info_read(multi, &count) {
                guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                    continue
                }
                unsafe finish(easy, message.pointee.data.result)
            }
        } while startWaiting()
    }

    /// Waits for events or for the handle to be woken.
    ///
    /// Transfers have timers of their own; those that wait for their turn don't.
    func wait(atMost time: Duration) {
        let milliseconds = Int32(min(time, waiting.isEmpty ? time : .milliseconds(100)) / .milliseconds(1))
        unsafe curl_multi_poll(multi, nil, 0, milliseconds, nil)
    }

    /// Releases everything; closes the connections.
    mutating func end() {
        for unsafe easy in unsafe spare { unsafe curl_easy_cleanup(easy) }
        unsafe curl_multi_cleanup(multi)
    }

    /// Starts transfers as long as there is room, and ends those that waited too long; returns whether it started one.
    @discardableResult private mutating func startWaiting() -> Bool {
        if waiting.isEmpty { return false }
        let count = min(waiting.count, unsafe maximumCount - active.count)
        for transfer in waiting.prefix(count) where !transfer.isFinished { start(transfer) }
        waiting.removeFirst(count)
        waiting.removeAll { transfer in
            if transfer.deadline.remaining <= .zero {
                transfer.finish(throwing: TransportError(.timedOut, mayHaveReachedServer: false))
            }
            return transfer.isFinished
        }
        return count > 0
    }

    private mutating func start(_ transfer: CurlTransfer) {
        guard let easy = unsafe spare.popLast() ?? curl_easy_init() else {
            transfer.finish(throwing: TransportError(.failed, mayHaveReachedServer: false))
            return
        }
        unsafe transfer.configure(easy)
        unsafe active[easy] = transfer
        unsafe curl_multi_add_handle(multi, easy)
    }

    private mutating func finish(_ easy: UnsafeMutableRawPointer, _ result: CURLcode) {
        guard let transfer = unsafe active[easy] else { return }
        let error = result == CURLE_OK ? nil : unsafe CurlErrorMapping.error(result, of: transfer, easy)
        unsafe remove(easy)
        transfer.finish(throwing: error)
    }

    /// Takes a handle from libcurl, which closes the connection of an unfinished transfer.
    private mutating func remove(_ easy: UnsafeMutableRawPointer) {
        unsafe curl_multi_remove_handle(multi, easy)
        unsafe active.removeValue(forKey: easy)?.easy = nil
        if unsafe spare.count < Self.maximumSpareCount {
            unsafe curl_easy_reset(easy)
            unsafe spare.append(easy)
        } else {
            unsafe curl_easy_cleanup(easy)
        }
    }
}
#endif
