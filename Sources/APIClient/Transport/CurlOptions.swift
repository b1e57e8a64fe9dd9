// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import CCurl

/// The options of a handle, and what libcurl says of its transfer.
///
/// libcurl copies texts. An option that it lacks is left out, but for those that a request would be less safe without:
/// they are older than the oldest libcurl that is supported.
@safe struct CurlOptions {
    /// The functions of libcurl; nil if there is none, or one that can't do what a transfer relies on.
    ///
    /// Loaded when the first is needed. Linked, it would cost each start of a program 4 ms and 7 MB, and a command that
    /// prints a stored token sends nothing. Safe: they stay where they are, in memory that is never freed.
    nonisolated(unsafe) static let library: UnsafePointer<sallyport_curl>? = {
        let functions = UnsafeMutablePointer<sallyport_curl>.allocate(capacity: 1)
        unsafe functions.initialize(to: sallyport_curl())
        return unsafe sallyport_curl_load(functions) ? UnsafePointer(functions) : nil
    }()

    /// The cipher suites for TLS 1.2: ephemeral keys and authenticated encryption alone.
    ///
    /// RFC 9325, 4.2, and ChaCha20 for machines without instructions for AES. With RSA key exchange, a stolen server key
    /// decrypts recorded connections.
    private static let cipherSuites = """
        ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:\
        ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
        """

    let curl: UnsafePointer<sallyport_curl>
    let easy: UnsafeMutableRawPointer

    func set(_ option: CURLoption, _ value: Int) { unsafe sallyport_curl_set_long(curl, easy, option, value) }

    func set(_ option: CURLoption, size: Int) { unsafe sallyport_curl_set_size(curl, easy, option, curl_off_t(size)) }

    func set(_ option: CURLoption, _ value: String?) { unsafe sallyport_curl_set_text(curl, easy, option, value) }

    func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        unsafe sallyport_curl_set_pointer(curl, easy, option, pointer)
    }

    /// Sets what is the same for all requests of a transport.
    ///
    /// libcurl's defaults stay for the rest: certificates are verified; no redirects, cookies, `.netrc`, HSTS,
    /// alternative services, HTTP/0.9 and debug output.
    func secure(_ settings: CurlSettings) {
        // No signal for a timeout: it would end the program.
        set(CURLOPT_NOSIGNAL, 1)
        unsafe sallyport_curl_allow_http(curl, easy)
        unsafe sallyport_curl_abandon_lookups(curl, easy)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_CONNECTTIMEOUT_MS, 10_000)
        // Decompresses what nobody asked for, too; the request says nothing of it.
        set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        for option in [CURLOPT_SSLVERSION, CURLOPT_PROXY_SSLVERSION] { set(option, Int(CURL_SSLVERSION_TLSv1_2)) }
        for option in [CURLOPT_SSL_CIPHER_LIST, CURLOPT_PROXY_SSL_CIPHER_LIST] { set(option, Self.cipherSuites) }
        if let file = settings.authorityFile {
            for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { set(option, file) }
            // Else the system's folder stays.
            for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { set(option, nil as String?) }
        } else if let memory = unsafe settings.authorities?.memory {
            var blob = unsafe curl_blob(data: memory.baseAddress, len: memory.count, flags: UInt32(CURL_BLOB_NOCOPY))
            // Safe: libcurl copies the address, and the settings live as long as their transfers.
            unsafe set(CURLOPT_CAINFO_BLOB, pointer: &blob)
            unsafe set(CURLOPT_PROXY_CAINFO_BLOB, pointer: &blob)
        }
        if let files = settings.clientCertificate {
            set(CURLOPT_SSLCERT, files.certificateFile)
            set(CURLOPT_SSLKEY, files.privateKeyFile)
            // An encrypted key is an error: without this, OpenSSL asks for its passphrase on the terminal.
            set(CURLOPT_KEYPASSWD, "")
        }
        // Plain http too: the proxy would read the credential.
        set(CURLOPT_HTTPPROXYTUNNEL, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    /// Returns a number that libcurl has about the last transfer; zero if it has none.
    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe sallyport_curl_get_long(curl, easy, info, &value)
        return value
    }

    /// Returns the error of a transfer that libcurl ended.
    func error(_ result: CURLcode, of transfer: CurlTransfer) -> TransportError {
        let underlying = CurlError(number: result.rawValue, systemError: number(CURLINFO_OS_ERRNO))
        let wasSent = transfer.wasSent
        // A tunnel is refused before anything is sent to the server.
        let status = number(CURLINFO_HTTP_CONNECTCODE)
        let isRefused = status >= 300 && !wasSent && result != CURLE_OPERATION_TIMEDOUT
        let proxy = transfer.fault == nil ? transfer.proxy : nil
        return TransportError(
            transfer.fault ?? (isRefused ? .proxyRefused : Self.code(result, wasSent: wasSent)),
            mayHaveReachedServer: wasSent,
            reason: reason(result),
            proxy: proxy.map { isRefused ? "\($0), status \(status)" : $0 },
            underlying: transfer.fault == nil ? underlying : nil
        )
    }

    private static func code(_ result: CURLcode, wasSent: Bool) -> TransportError.Code {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxyRefused
        case CURLE_COULDNT_CONNECT: .connectionRefused
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_URL_MALFORMAT: .invalidRequest
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
            .insecureConnection
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND,
            CURLE_SSL_SHUTDOWN_FAILED:
            .connectionClosed
        // A line of more than 100 KiB. CURLE_TOO_LARGE, since 8.6, has the number 100.
        case CURLE_OUT_OF_MEMORY where wasSent, CURLcode(100) where wasSent: .responseTooLarge
        default: .failed
        }
    }

    private func reason(_ result: CURLcode) -> TransportError.Reason? {
        switch result {
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: return .clientCertificate
        case CURLE_SSL_CACERT_BADFILE: return .certificateAuthorities
        case CURLE_PEER_FAILED_VERIFICATION: break
        default: return nil
        }
        // OpenSSL's numbers: X509_STORE_CTX_get_error(3).
        return switch number(CURLINFO_SSL_VERIFYRESULT) {
        // libcurl compares the name itself, after OpenSSL found no fault: 0, or the 1 that it begins with.
        case 0, 1, 62, 64: .nameMismatch
        case 2, 18, 19, 20, 21: .issuerUnknown
        case 9: .notYetValid
        case 10: .expired
        default: .otherCertificateFault
        }
    }
}

/// An error of libcurl, by its number and the system's, if there is one; holds no address.
struct CurlError: Error, CustomStringConvertible {
    let number: UInt32
    let systemError: Int

    var description: String {
        // Safe: the text is constant.
        guard let error = unsafe CurlOptions.library?.pointee.easy_strerror(CURLcode(number)) else {
            return "libcurl is missing or too old"
        }
        let text = unsafe String(cString: error)
        return systemError == 0 ? "libcurl: \(text)" : "libcurl: \(text), system error \(systemError)"
    }
}
#endif
