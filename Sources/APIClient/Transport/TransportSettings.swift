// SPDX-License-Identifier: Apache-2.0

/// The certificate authorities, the client certificate, the proxy and the connection timeout of a transport.
///
/// No setting turns off the verification of a server's certificate. AsyncHTTPClient takes nothing from the environment;
/// URLSession on Linux takes the proxy.
public struct TransportSettings: Sendable {
    /// The certificate authorities that servers are verified against.
    public var certificateAuthorities: CertificateAuthorities
    /// The certificate that is presented to servers that request one; nil for none.
    ///
    /// [RFC 8705](https://www.rfc-editor.org/rfc/rfc8705).
    public var clientCertificate: ClientCertificate?
    /// The HTTP proxy for every request but plain http to a loopback address; nil for direct connections.
    public var proxy: HTTPProxy?
    /// The longest wait for a connection, including its TLS handshake.
    ///
    /// It is part of the request's own timeout.
    public var connectTimeout: Duration

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - certificateAuthorities: The certificate authorities that servers are verified against.
    ///   - clientCertificate: The certificate that is presented to servers that request one; nil for none. Secret.
    ///   - proxy: The HTTP proxy; nil for direct connections.
    ///   - connectTimeout: The longest wait for a connection, from a millisecond to a day; other values are clamped.
    public init(
        certificateAuthorities: CertificateAuthorities = .system,
        clientCertificate: ClientCertificate? = nil,
        proxy: HTTPProxy? = nil,
        connectTimeout: Duration = .seconds(10)
    ) {
        self.certificateAuthorities = certificateAuthorities
        self.clientCertificate = clientCertificate
        self.proxy = proxy
        self.connectTimeout = connectTimeout
    }
}
