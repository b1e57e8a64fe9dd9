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
    /// Servers whose `Content-Encoding` is false, such as `utf-8`: their bodies are taken as they are from then on.
    ///
    /// Else the response to each refresh would be lost, and at last the session.
    private static let mislabelling = Mutex<Set<String>>([])

    let deadline: Deadline
    private let request: TransportRequest
    private let url: String
    private let settings: CurlSettings
    private let message: CurlRequest
    /// The end of the transfer, for its caller.
    let end = Promise<Void>()

    /// The handle while the transfer is libcurl's.
    var easy: UnsafeMutableRawPointer?
    private var sockets: CurlSockets?
    /// The sockets that were opened for this transfer; none if its connection is a kept one.
    private var opened: [Int32] = []
    /// Whether the request gets a new connection, because something had come on a kept one.
    private var connectsAfresh = false
    /// Whether the request was handed to a connection: from then on it may have reached the server.
    private(set) var wasSent = false
    /// The cause if this type ended the transfer and not libcurl.
    private(set) var fault: TransportError.Code?
    private var response = CurlResponse()

    init(_ request: TransportRequest, url: String, settings: CurlSettings) {
        self.request = request
        self.url = url
        self.settings = settings
        deadline = Deadline(in: request.timeout, on: .suspending)
        message = CurlRequest(request)
    }

    deinit {
        response.wipe()
    }

    /// Ends the transfer, unless it has ended before.
    func finish(throwing error: (any Error)?) { end.finish(error.map { .failure($0) } ?? .success(())) }

    /// Returns the response, once the transfer has succeeded.
    ///
    /// - Throws: ``TransportError`` (`failed`) if its status is not one.
    func takeResponse() throws -> TransportResponse { try response.take() }

    // MARK: - For the loop's thread

    /// Sets the options of a handle whose options are the usual ones.
    func configure(_ curl: CurlLibrary, _ easy: UnsafeMutableRawPointer, _ sockets: CurlSockets) {
        unsafe (self.easy, self.sockets) = (easy, sockets)
        let options = unsafe CurlOptions(curl, easy)
        options.set(CURLOPT_URL, url)
        options.set(CURLOPT_PATH_AS_IS, 1)
        options.set(CURLOPT_CUSTOMREQUEST, request.head.method.rawValue)
        if request.head.method == .head { options.set(CURLOPT_NOBODY, 1) }
        unsafe options.set(CURLOPT_HTTPHEADER, pointer: message.fields)
        // RFC 9110, 8.6: a method that expects a body says that there is none.
        if request.body != nil || [.post, .put, .patch].contains(request.head.method) {
            unsafe options.set(CURLOPT_POSTFIELDS, pointer: message.body.baseAddress)
            unsafe options.set(CURLOPT_POSTFIELDSIZE_LARGE, size: message.body.count)
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
        if request.sendsOnce || proxy.lowercased().hasPrefix("https:") {
            options.set(CURLOPT_FORBID_REUSE, 1)
        }
        setFunctions(options, sockets)
    }

    /// Sets the functions that libcurl calls, on its thread and only within its calls.
    private func setFunctions(_ options: CurlOptions, _ sockets: CurlSockets) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_PREREQDATA, CURLOPT_OPENSOCKETDATA] {
            unsafe options.set(option, pointer: context)
        }
        let (curl, easy) = unsafe (options.functions, options.easy)
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
        guard let sockets, let easy = unsafe easy, let curl = CurlLibrary.shared else { return false }
        if opened.isEmpty {
            return unsafe sockets.isSilent(port) && !sallyport_curl_has_pending(curl.functions, easy)
        }
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
        guard result == CURLE_ABORTED_BY_CALLBACK, fault == nil, !connectsAfresh else { return false }
        connectsAfresh = true
        return true
    }

    /// Remembers that the response could not be decoded.
    func noteFalseEncoding() {
        guard let authority = request.head.authority else { return }
        Self.mislabelling.withLock { if $0.count < 256 { $0.insert(authority) } }
    }
}
#endif
