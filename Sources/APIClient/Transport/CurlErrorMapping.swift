// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import CCurl

/// An error of libcurl, by its number; holds no address.
struct CurlError: Error, CustomStringConvertible {
    /// libcurl's number: https://curl.se/libcurl/c/libcurl-errors.html.
    let number: UInt32
    /// The system's error number; zero if there is none.
    let systemError: Int

    var description: String {
        // Safe: the text is constant.
        guard let error = unsafe CurlLibrary.shared?.functions.pointee.easy_strerror(CURLcode(number)) else {
            return "libcurl is missing or too old"
        }
        let text = unsafe String(cString: error)
        return systemError == 0 ? "libcurl: \(text)" : "libcurl: \(text), system error \(systemError)"
    }
}

/// The meaning of libcurl's errors.
enum CurlErrorMapping {
    /// Returns the error of a transfer that libcurl ended.
    static func error(_ result: CURLcode, of transfer: CurlTransfer, _ handle: CurlOptions) -> TransportError {
        let underlying = CurlError(number: result.rawValue, systemError: handle.number(CURLINFO_OS_ERRNO))
        let reason = reason(result, handle)
        if result == CURLE_BAD_CONTENT_ENCODING { transfer.noteFalseEncoding() }
        // A tunnel is refused before anything is sent to the server.
        let tunnel = handle.number(CURLINFO_HTTP_CONNECTCODE)
        let isRefused = tunnel >= 300 && !transfer.wasSent && result != CURLE_OPERATION_TIMEDOUT
        return TransportError(
            transfer.fault ?? (isRefused ? .proxyRefused : code(result, wasSent: transfer.wasSent)),
            mayHaveReachedServer: transfer.wasSent,
            reason: reason,
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

    private static func reason(_ result: CURLcode, _ handle: CurlOptions) -> TransportError.Reason? {
        switch result {
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: return .clientCertificate
        case CURLE_SSL_CACERT_BADFILE: return .certificateAuthorities
        case CURLE_PEER_FAILED_VERIFICATION: break
        default: return nil
        }
        // OpenSSL's numbers: X509_STORE_CTX_get_error(3).
        return switch handle.number(CURLINFO_SSL_VERIFYRESULT) {
        // libcurl compares the name itself, after OpenSSL found no fault: 0, or the 1 that it begins with.
        case 0, 1, 62, 64: .nameMismatch
        case 2, 18, 19, 20, 21: .issuerUnknown
        case 9: .notYetValid
        case 10: .expired
        default: .otherCertificateFault
        }
    }
}
#endif
