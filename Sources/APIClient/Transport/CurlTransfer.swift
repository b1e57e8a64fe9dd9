// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import AuthCore
import CCurl
import HTTPTypes
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One request on its way, and what has come of its response.
///
/// The contents are used by one thread at a time, which is why it is `Sendable`: by the caller before the transfer is
/// added to the loop, by the loop's thread until it finishes the transfer, and by the caller after that. A caller that
/// is cancelled does not touch them again. The locks of the loop and of `end` order these.
@safe final class CurlTransfer: @unchecked Sendable {
    /// The fields that libcurl would add; the last one makes it wait for `100 Continue` before a large body.
    private static let defaultFields = ["Accept", "Accept-Encoding", "Content-Type", "Expect"]
    /// Servers whose `Content-Encoding` is false, such as `utf-8`: their bodies are taken as they are from then on.
    ///
    /// Else the response to each refresh would be lost, and at last the session.
    private static let mislabelling = Mutex<Set<String>>([])

    let deadline: Deadline
    private let request: TransportRequest
    private let url: String
    private let settings: CurlSettings
    /// The header fields and the body in C, in memory that is overwritten at the end.
    private let fields: UnsafeMutablePointer<curl_slist>?
    private let body: UnsafeMutableRawBufferPointer
    /// The end of the transfer, for its caller.
    let end = Promise<Void>()
    var response = CurlResponse()

    /// The handle while the transfer is libcurl's.
    var easy: UnsafeMutableRawPointer?
    private var sockets: CurlSockets?
    /// The sockets that were opened for this transfer; none if its connection is a kept one.
    private var opened: [Int32] = []
    /// Whether the request gets a new connection, because something had come on a kept one.
    private var connectsAfresh = false
    /// Whether the request was handed to a connection: from then on it may have reached the server.
    private(set) var wasSent = false
    /// The host and port of the request's proxy, for a message; nil if there is none.
    var proxy: String? { settings.proxy.name(for: request.head) }
    /// The cause if this type ended the transfer and not libcurl.
    private(set) var fault: TransportError.Code?

    init(_ request: TransportRequest, url: String, settings: CurlSettings) {
        (self.request, self.url, self.settings) = (request, url, settings)
        deadline = Deadline(in: request.timeout, on: .suspending)
        var fields: UnsafeMutablePointer<curl_slist>?
        for name in Self.defaultFields { unsafe fields = Self.line(name, ":", before: fields) }
        for field in request.head.headerFields.reversed() {
            // libcurl's form of a field with an empty value; a colon alone is none.
            let mark = field.value.isEmpty ? ";" : ": "
            unsafe fields = Self.line(field.name.rawName, mark, field.value, before: fields)
        }
        unsafe self.fields = fields
        let bytes = request.body ?? []
        // An address that is never nil: libcurl would read nil as no body.
        unsafe body = .allocate(byteCount: bytes.count, alignment: 1)
        unsafe body.copyBytes(from: bytes)
    }

    deinit {
        var next = unsafe fields
        while let line = unsafe next {
            unsafe next = line.pointee.next
            if let text = unsafe line.pointee.data {
                unsafe overwrite(UnsafeMutableRawBufferPointer(start: text, count: strlen(text)))
                unsafe text.deallocate()
            }
            unsafe line.deallocate()
        }
        unsafe overwrite(body)
        unsafe body.deallocate()
        response.wipe()
    }

    /// Returns a line of some parts, with others after it.
    private static func line(
        _ parts: String...,
        before others: UnsafeMutablePointer<curl_slist>?
    ) -> UnsafeMutablePointer<curl_slist> {
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: parts.reduce(1) { $0 + $1.utf8.count })
        unsafe text.initialize(to: 0)
        // Safe: the parts have room, and no character ends a part early.
        for part in parts { unsafe strcat(text, part) }
        let line = UnsafeMutablePointer<curl_slist>.allocate(capacity: 1)
        unsafe line.initialize(to: curl_slist(data: text, next: others))
        return unsafe line
    }

    /// Ends the transfer, unless it has ended before.
    func finish(throwing error: (any Error)?) { end.finish(error.map { .failure($0) } ?? .success(())) }

    /// Ends a transfer that libcurl can't run: it is missing or too old, or there are no more threads or memory.
    func fail() {
        let cause = CurlError(number: CURLE_FAILED_INIT.rawValue, systemError: 0)
        finish(throwing: TransportError(.failed, mayHaveReachedServer: wasSent, underlying: cause))
    }

    // MARK: - For the loop's thread

    /// Sets the options of a handle whose options are the usual ones.
    func configure(_ options: CurlOptions, _ sockets: CurlSockets) {
        unsafe (easy, self.sockets) = (options.easy, sockets)
        options.set(CURLOPT_URL, url)
        options.set(CURLOPT_PATH_AS_IS, 1)
        options.set(CURLOPT_CUSTOMREQUEST, request.head.method.rawValue)
        if request.head.method == .head { options.set(CURLOPT_NOBODY, 1) }
        unsafe options.set(CURLOPT_HTTPHEADER, pointer: fields)
        // RFC 9110, 8.6: a method that expects a body says that there is none.
        if request.body != nil || [.post, .put, .patch].contains(request.head.method) {
            unsafe options.set(CURLOPT_POSTFIELDS, pointer: body.baseAddress)
            unsafe options.set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
        }
        options.set(CURLOPT_TIMEOUT_MS, max(1, min(Int(Int32.max), Int(deadline.remaining / .milliseconds(1)))))
        options.secure(settings)
        // A server may be about to end an idle connection, and a request that is not repeated would fail with it.
        options.set(CURLOPT_MAXAGE_CONN, request.isIdempotent ? 60 : 2)
        if Self.mislabelling.withLock({ $0.contains(request.head.authority ?? "") }) {
            options.set(CURLOPT_ACCEPT_ENCODING, nil as String?)
        }
        let proxy = settings.proxy.address(for: request.head)
        options.set(CURLOPT_PROXY, proxy)
        options.set(CURLOPT_NOPROXY, settings.proxy.exceptions)
        if request.sendsOnce || connectsAfresh { options.set(CURLOPT_FRESH_CONNECT, 1) }
        // Bytes that TLS has read and nobody else can't be asked for at the proxy's TLS, but only at the server's.
        if request.sendsOnce || proxy.lowercased().hasPrefix("https:") { options.set(CURLOPT_FORBID_REUSE, 1) }
        setFunctions(options, sockets)
    }

    /// Sets the functions that libcurl calls, on its thread and only within its calls.
    private func setFunctions(_ options: CurlOptions, _ sockets: CurlSockets) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_PREREQDATA, CURLOPT_OPENSOCKETDATA] {
            unsafe options.set(option, pointer: context)
        }
        let (curl, easy) = unsafe (options.curl, options.easy)
        unsafe sallyport_curl_set_write(curl, easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            return unsafe CurlTransfer.from(context)?.take { unsafe $0.add(line: line, to: $1) } == true ? count : 0
        }
        unsafe sallyport_curl_set_write(curl, easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            // For an empty part, zero would be success.
            return unsafe CurlTransfer.from(context)?.take { unsafe $0.add(part: part, to: $1) } == true ? count : ~0
        }
        unsafe sallyport_curl_set_prereq(curl, easy, CURLOPT_PREREQFUNCTION) { context, _, _, _, port in
            unsafe CurlTransfer.from(context)?.maySend(from: port) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        unsafe sallyport_curl_set_opensocket(curl, easy, CURLOPT_OPENSOCKETFUNCTION) { context, _, address in
            guard let address = unsafe address?.pointee else { return CURL_SOCKET_BAD }
            return unsafe CurlTransfer.from(context)?.openSocket(address) ?? CURL_SOCKET_BAD
        }
        // The sockets live as long as libcurl's connections, and a transfer does not.
        unsafe options.set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(sockets).toOpaque())
        unsafe sallyport_curl_set_closesocket(curl, easy, CURLOPT_CLOSESOCKETFUNCTION) { context, descriptor in
            guard let context = unsafe context else { return -1 }
            return unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().release(descriptor)
        }
    }

    /// Returns the transfer that an option of its handle points to; the loop keeps it as long as the handle.
    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Opens a socket that no child process inherits: the connection may carry tokens.
    private func openSocket(_ address: curl_sockaddr) -> Int32 {
        let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
        opened.append(socket(address.family, type, address.protocol))
        return opened.last ?? CURL_SOCKET_BAD
    }

    /// Decides whether the request is sent, once there is a connection.
    ///
    /// libcurl comes here a second time if a kept connection ended without a byte of response. It would send anything
    /// again, a POST too.
    private func maySend(from port: Int32) -> Bool {
        if wasSent && !request.isIdempotent {
            fault = .connectionClosed
            return false
        }
        guard isUnused(port) else { return false }
        guard request.sendGuard?() ?? true else {
            fault = .notSent
            return false
        }
        wasSent = true
        return true
    }

    /// Whether nothing has come on the connection since its last response.
    private func isUnused(_ port: Int32) -> Bool {
        guard let sockets, let easy = unsafe easy, let curl = unsafe CurlOptions.library else { return false }
        if opened.isEmpty { return unsafe sockets.isSilent(port) && !sallyport_curl_has_pending(curl, easy) }
        sockets.note(port, of: opened)
        opened = []
        return true
    }

    private func take(_ add: (inout CurlResponse, TransportRequest) -> Bool) -> Bool {
        if add(&response, request) { return true }
        fault = .responseTooLarge
        return false
    }

    /// Whether the transfer, which libcurl ended, is to start again: once, and only if nothing was sent on a kept
    /// connection because something had come on it.
    func startsAgain(after result: CURLcode) -> Bool {
        if result == CURLE_BAD_CONTENT_ENCODING, let authority = request.head.authority {
            Self.mislabelling.withLock { if $0.count < 256 { $0.insert(authority) } }
        }
        guard result == CURLE_ABORTED_BY_CALLBACK, fault == nil, !connectsAfresh else { return false }
        connectsAfresh = true
        return true
    }
}

/// Overwrites memory, also if nothing reads it again.
func overwrite(_ memory: UnsafeMutableRawBufferPointer) {
    if let start = memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
}
#endif
