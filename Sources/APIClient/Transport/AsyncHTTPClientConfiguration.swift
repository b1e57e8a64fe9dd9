// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && canImport(AsyncHTTPClient)
import AsyncHTTPClient
import AuthCore
import NIOCore
import NIOSSL

/// The configuration of an `HTTPClient`.
enum AsyncHTTPClientConfiguration {
    /// The cipher suites for TLS 1.2: ephemeral keys and authenticated encryption alone.
    ///
    /// The first four are those of [RFC 9325, 4.2](https://www.rfc-editor.org/rfc/rfc9325#section-4.2). The others
    /// replace only the cipher, for machines without instructions for AES. NIOSSL's default also has RSA key exchange,
    /// with which a stolen server key decrypts recorded connections, and CBC, which attacks like Lucky Thirteen broke.
    private static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// Creates a configuration without redirects, retries, decompression and tracing.
    static func make(connectTimeout: Duration) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        // [RFC 9325, 3.1.1](https://www.rfc-editor.org/rfc/rfc9325#section-3.1.1): not 1.0, not 1.1.
        tls.minimumTLSVersion = .tlsv12
        tls.cipherSuiteValues = cipherSuites
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

    /// Creates a configuration with the certificate authorities, the client certificate and the proxy of the settings.
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
        if let certificate = settings.clientCertificate {
            try present(certificate, in: &configuration.tlsConfiguration)
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

    /// Adds a client certificate, whose key is checked to be the certificate's.
    ///
    /// Without the check, each connection would fail, as if the network did.
    private static func present(_ certificate: ClientCertificate, in tls: inout TLSConfiguration?) throws {
        let (pem, secret) = try certificate.contents()
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(pem), !chain.isEmpty else {
            throw TransportSettingsError(.invalidClientCertificate)
        }
        // An encrypted key is refused: nobody is there to type its passphrase.
        guard secret.count > 0, let key = try? NIOSSLPrivateKey(bytes: secret.unredacted, format: .pem) else {
            throw TransportSettingsError(.invalidClientKey)
        }
        var trial = TLSConfiguration.makeClientConfiguration()
        // Without authorities, the trial loads none from the disk.
        trial.trustRoots = .certificates([])
        trial.certificateChain = chain.map { .certificate($0) }
        trial.privateKey = .privateKey(key)
        do {
            _ = try NIOSSLContext(configuration: trial)
        } catch NIOSSLError.failedToLoadPrivateKey {
            throw TransportSettingsError(.clientKeyMismatch)
        } catch {
            throw TransportSettingsError(.invalidClientCertificate)
        }
        tls?.certificateChain = trial.certificateChain
        tls?.privateKey = trial.privateKey
    }
}
#endif
