// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import CCurl

/// A handle whose options are set.
///
/// libcurl copies texts. An option that it lacks is left out, but for those that a request would be less safe without:
/// they are older than the oldest libcurl that is supported.
@safe struct CurlOptions {
    /// The cipher suites for TLS 1.2: ephemeral keys and authenticated encryption alone.
    ///
    /// [RFC 9325, 4.2](https://www.rfc-editor.org/rfc/rfc9325#section-4.2), and ChaCha20 for machines without
    /// instructions for AES. With RSA key exchange, a stolen server key decrypts recorded connections.
    private static let cipherSuites = """
        ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:\
        ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
        """

    let functions: UnsafePointer<sallyport_curl>
    let easy: UnsafeMutableRawPointer

    init(_ curl: CurlLibrary, _ easy: UnsafeMutableRawPointer) {
        unsafe (functions, self.easy) = (curl.functions, easy)
    }

    /// Returns a number that libcurl has about the last transfer; zero if it has none.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe sallyport_curl_get_long(functions, easy, info, &value)
        return value
    }

    func set(_ option: CURLoption, _ value: Int) { unsafe sallyport_curl_set_long(functions, easy, option, value) }

    func set(_ option: CURLoption, size: Int) {
        unsafe sallyport_curl_set_size(functions, easy, option, curl_off_t(size))
    }

    func set(_ option: CURLoption, _ value: String?) { unsafe sallyport_curl_set_text(functions, easy, option, value) }

    func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        unsafe sallyport_curl_set_pointer(functions, easy, option, pointer)
    }

    /// Sets what is the same for all requests of a transport.
    ///
    /// libcurl's defaults stay for the rest: certificates are verified; no redirects, cookies, `.netrc`, HSTS,
    /// alternative services, HTTP/0.9 and debug output.
    func secure(_ settings: CurlSettings) {
        // No signal for a timeout: it would end the program.
        set(CURLOPT_NOSIGNAL, 1)
        unsafe sallyport_curl_allow_http(functions, easy)
        unsafe sallyport_curl_abandon_lookups(functions, easy)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_CONNECTTIMEOUT_MS, 10_000)
        // Decompresses what nobody asked for, too; the request says nothing of it.
        set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        let oldest = Int(CURL_SSLVERSION_TLSv1_2)
        for (version, ciphers) in [
            (CURLOPT_SSLVERSION, CURLOPT_SSL_CIPHER_LIST), (CURLOPT_PROXY_SSLVERSION, CURLOPT_PROXY_SSL_CIPHER_LIST),
        ] {
            set(version, oldest)
            set(ciphers, Self.cipherSuites)
        }
        switch settings.authorities {
        case .system: break
        case .only(let file):
            for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { set(option, file) }
            // Else the system's folder stays.
            for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { set(option, nil as String?) }
        case .systemAnd(let certificates):
            let memory = unsafe certificates.memory
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
}
#endif
