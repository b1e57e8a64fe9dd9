#if AsyncHTTPClient && canImport(AsyncHTTPClient)
import AsyncHTTPClient
import AuthCore
import NIOCore
import NIOSSL

/// The configuration of an `HTTPClient`.
enum AsyncHTTPClientConfiguration {
    /// Creates a configuration without redirects, retries, decompression and tracing.
    static func make(connectTimeout: Duration) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        // [RFC 9325, 3.1.1](https://www.rfc-editor.org/rfc/rfc9325#section-3.1.1): not 1.0, not 1.1.
        tls.minimumTLSVersion = .tlsv12
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        // The conformance suite speaks HTTP/1.1. It is not known which HTTP/2 errors say that a request was not carried
        // out.
        configuration.httpVersion = .http1Only
        // After a redirect, the client would forward `X-API-Key` to another host.
        configuration.redirectConfiguration = .disallow
        let timeout = min(max(.milliseconds(1), connectTimeout), .seconds(86_400))
        configuration.timeout.connect = .nanoseconds(Int64(timeout / .nanoseconds(1)))
        // If this is on, a refused connection is tried again until the deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        // With the default of 8, eight responses that are read slowly hold up every other request to that host.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        // A decompressed response could be a thousand times larger than the bytes received.
        configuration.decompression = .disabled
        // A process-wide tracer would see the query of every URL, with the codes and states in it.
        configuration.tracing.tracer = nil
        return configuration
    }

    /// Creates a configuration with the certificate authorities and the proxy of the settings.
    ///
    /// - Throws: ``TransportSettingsError``.
    static func make(_ settings: TransportSettings) throws -> HTTPClient.Configuration {
        var configuration = make(connectTimeout: settings.connectTimeout)
        if let pem = settings.certificateAuthorities.pem {
            let certificates: [NIOSSLCertificate]
            do {
                certificates = try NIOSSLCertificate.fromPEMBytes(pem)
            } catch {
                throw TransportSettingsError(.noCertificate)
            }
            guard !certificates.isEmpty else { throw TransportSettingsError(.noCertificate) }
            if settings.certificateAuthorities.includesSystem {
                configuration.tlsConfiguration?.additionalTrustRoots = [.certificates(certificates)]
            } else {
                configuration.tlsConfiguration?.trustRoots = .certificates(certificates)
            }
        }
        if let proxy = settings.proxy {
            try proxy.check()
            configuration.proxy = .server(
                host: proxy.host,
                port: proxy.port,
                authorization: proxy.credentials.map {
                    .basic(username: $0.username, password: $0.password.unredacted)
                }
            )
        }
        return configuration
    }
}
#endif
