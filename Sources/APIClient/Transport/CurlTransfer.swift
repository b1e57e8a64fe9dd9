// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import AuthCore
import CCurl
import HTTPTypes
import Synchronization

/// One request on its way, and what has come of its response.
///
/// The contents are used by one thread at a time, which is why it is `Sendable`: by the caller before the transfer is
/// added to the loop, by the loop's thread until it finishes the transfer, and by the caller after that. A caller that
/// is cancelled does not touch them again. The locks of the loop and of `waiting` order these.
@safe final class CurlTransfer: @unchecked Sendable {
    private enum Waiting {
        case notYet
        case waiting(CheckedContinuation<Void, any Error>)
        case finished
    }

    private static let maximumHeadSize = 80 * 1_024
    private static let maximumFieldCount = 1_000
    /// Servers whose `Content-Encoding` is false, such as `utf-8`: their bodies are taken as they are from then on.
    ///
    /// Else the response to each refresh would be lost, and at last the session.
    private static let mislabelling = Mutex<Set<String>>([])

    let request: TransportRequest
    let deadline: Deadline
    let url: String
    let settings: CurlSettings
    private let message: CurlMessage
    private let waiting = Mutex(Waiting.notYet)

    /// The handle while the transfer is libcurl's.
    var easy: UnsafeMutableRawPointer?
    /// Whether the request gets a new connection, because something had come on a kept one.
    var connectsAfresh = false
    private var sockets: CurlSockets?
    /// The sockets that were opened for this transfer; none if its connection is a kept one.
    private var opened: [Int32] = []
    /// Whether the request was handed to a connection: from then on it may have reached the server.
    private(set) var wasSent = false
    /// The cause if this type ended the transfer and not libcurl.
    private(set) var fault: TransportError.Code?
    private var head: [UInt8] = []
    private var body: [UInt8] = []
    private var status = 0
    private var isHeadComplete = false
    private var headSize = 0
    private var fieldCount = 0
    private var declaredLength = 0

    init(_ request: TransportRequest, url: String, settings: CurlSettings) {
        self.request = request
        self.url = url
        self.settings = settings
        deadline = Deadline(in: request.timeout, on: .suspending)
        message = CurlMessage(request)
    }

    // MARK: - The caller's side

    /// Stores the continuation; returns false if the task was cancelled before, and resumes it.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let isFirst = waiting.withLock { waiting in
            guard case .notYet = waiting else { return false }
            waiting = .waiting(continuation)
            return true
        }
        if !isFirst { continuation.resume(throwing: CancellationError()) }
        return isFirst
    }

    /// Resumes the caller; returns false if it was resumed before.
    @discardableResult func finish(throwing error: (any Error)?) -> Bool {
        let last = waiting.withLock { waiting in
            defer { waiting = .finished }
            return waiting
        }
        switch last {
        case .notYet: return true
        case .finished: return false
        case .waiting(let continuation):
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            return true
        }
    }

    /// Whether the caller has its result, or was cancelled.
    var isFinished: Bool { waiting.withLock { if case .finished = $0 { true } else { false } } }

    /// Returns the response, once the transfer has succeeded.
    ///
    /// - Throws: ``TransportError`` (`failed`) if the status is not one.
    func response() throws -> TransportResponse {
        // The lock orders what the thread has written before what is read here.
        guard isFinished, (200...999).contains(status) else {
            throw TransportError(.failed, mayHaveReachedServer: true)
        }
        var fields = CurlHead.fields(of: head)
        if !body.isEmpty, fields[.contentEncoding] != nil {
            // libcurl has decoded the body, and these two speak of it as it was sent.
            fields[.contentEncoding] = nil
            fields[.contentLength] = nil
        }
        defer { body = [] }
        return TransportResponse(head: HTTPResponse(status: .init(code: status), headerFields: fields), body: body)
    }

    // MARK: - The thread's side

    /// Whether libcurl may send the request again on a fresh connection, if a kept one ended without a byte.
    private var isRepeatable: Bool {
        switch request.head.method {
        case .get, .head, .put, .delete, .options, .trace: !request.sendsOnce
        default: request.head.method.rawValue == "QUERY" && !request.sendsOnce
        }
    }

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
            options.set(CURLOPT_POSTFIELDSIZE_LARGE, size: message.bodySize)
        }
        options.set(CURLOPT_TIMEOUT_MS, max(1, min(Int(Int32.max), Int(deadline.remaining / .milliseconds(1)))))
        options.secure(settings)
        // A server may be about to end an idle connection, and a request that is not repeatable would fail with it.
        options.set(CURLOPT_MAXAGE_CONN, isRepeatable ? 60 : 2)
        if Self.mislabelling.withLock({ $0.contains(request.head.authority ?? "") }) {
            options.set(CURLOPT_ACCEPT_ENCODING, nil as String?)
        }
        let proxy = settings.proxy.address(for: request.head)
        if request.sendsOnce || connectsAfresh { options.set(CURLOPT_FRESH_CONNECT, 1) }
        // Of TLS within TLS, libcurl lets only the inner one be asked for bytes that nobody has read.
        if request.sendsOnce || request.head.scheme == "https" && proxy.lowercased().hasPrefix("https:") {
            options.set(CURLOPT_FORBID_REUSE, 1)
        }
        options.set(CURLOPT_PROXY, proxy)
        options.set(CURLOPT_NOPROXY, settings.proxy.exceptions)
        setFunctions(options, sockets)
    }

    /// Sets the functions that libcurl calls, on its thread and only within its calls.
    private func setFunctions(_ options: CurlOptions, _ sockets: CurlSockets) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe options.set(CURLOPT_HEADERDATA, pointer: context)
        unsafe options.set(CURLOPT_WRITEDATA, pointer: context)
        unsafe options.set(CURLOPT_PREREQDATA, pointer: context)
        let (curl, easy) = unsafe (options.functions, options.easy)
        unsafe sallyport_curl_set_write(curl, easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            return unsafe CurlTransfer.from(context)?.take(line: line) == true ? count : 0
        }
        unsafe sallyport_curl_set_write(curl, easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
            let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            // For an empty part, zero would be success.
            return unsafe CurlTransfer.from(context)?.take(part: part) == true ? count : ~0
        }
        unsafe sallyport_curl_set_prereq(curl, easy) { context, _, _, _, port in
            unsafe CurlTransfer.from(context)?.maySend(from: port) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        unsafe options.set(CURLOPT_OPENSOCKETDATA, pointer: context)
        unsafe sallyport_curl_set_opensocket(curl, easy) { context, _, address in
            guard let address = unsafe address?.pointee else { return CURL_SOCKET_BAD }
            return unsafe CurlTransfer.from(context)?.openSocket(address) ?? CURL_SOCKET_BAD
        }
        // The sockets live as long as libcurl's connections, and a transfer does not.
        unsafe options.set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(sockets).toOpaque())
        unsafe sallyport_curl_set_closesocket(curl, easy) { context, descriptor in
            guard let context = unsafe context else { return -1 }
            return unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().release(descriptor)
        }
    }

    /// Returns the transfer that an option of its handle points to; the loop keeps it as long as the handle.
    static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Decides whether the request is sent, once there is a connection.
    ///
    /// libcurl comes here a second time if a kept connection ended without a byte of response. It would send anything
    /// again, a POST too.
    private func maySend(from port: Int32) -> Bool {
        if wasSent && !isRepeatable {
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

    private func openSocket(_ address: curl_sockaddr) -> Int32 {
        let descriptor = sockets?.open(address.family, address.socktype, address.protocol) ?? CURL_SOCKET_BAD
        opened.append(descriptor)
        return descriptor
    }

    private func take(line: UnsafeRawBufferPointer) -> Bool {
        headSize += line.count
        fieldCount += 1
        // Interim responses and the fields after a body count too: either could be without end.
        guard headSize <= Self.maximumHeadSize, fieldCount <= Self.maximumFieldCount else { return refuse() }
        // The fields after a body, which nobody reads.
        if isHeadComplete { return true }
        if unsafe CurlHead.isEnd(line) {
            guard status >= 200 else {
                // An interim response: the next one begins.
                head.removeAll(keepingCapacity: true)
                declaredLength = 0
                return true
            }
            isHeadComplete = true
            // Refused before any of the body is read. A response to HEAD declares a body that it does not have.
            let hasBody = request.head.method != .head && status != 304 && status != 204
            if hasBody && declaredLength > request.maximumResponseSize { return refuse() }
            if hasBody { body.reserveCapacity(min(declaredLength, 1_024 * 1_024)) }
            return true
        }
        if head.isEmpty { status = unsafe CurlHead.status(of: line) }
        if let length = unsafe CurlHead.contentLength(of: line) { declaredLength = length }
        unsafe head.append(contentsOf: line)
        return true
    }

    private func take(part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= request.maximumResponseSize - body.count else { return refuse() }
        unsafe body.append(contentsOf: part)
        return true
    }

    /// Remembers that the response could not be decoded.
    func noteFalseEncoding() {
        guard let authority = request.head.authority else { return }
        Self.mislabelling.withLock { if $0.count < 256 { $0.insert(authority) } }
    }

    private func refuse() -> Bool {
        fault = .responseTooLarge
        return false
    }

    deinit {
        // Half a response may hold a token as well as a whole one, which is the caller's.
        unsafe head.withUnsafeMutableBytes { unsafe CurlMessage.wipe($0) }
        unsafe body.withUnsafeMutableBytes { unsafe CurlMessage.wipe($0) }
    }
}
#endif
