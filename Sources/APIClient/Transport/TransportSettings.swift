/// How a transport reaches servers, and whom it trusts.
///
/// That a server's certificate is verified is not one of the settings. AsyncHTTPClient takes
/// nothing from the environment; URLSession on Linux takes the proxy.
public struct TransportSettings: Sendable {
    /// Who vouches for servers.
    public var certificateAuthorities: CertificateAuthorities
    /// The HTTP proxy that every request goes through, but plain http to a loopback address; nil for none.
    public var proxy: HTTPProxy?
    /// The longest wait for a connection, its TLS handshake included.
    ///
    /// Within the request's own timeout.
    public var connectTimeout: Duration

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - certificateAuthorities: Who vouches for servers.
    ///   - proxy: The HTTP proxy; nil for none.
    ///   - connectTimeout: From a millisecond to a day; what lies beyond is taken for the nearest of them.
    public init(
        certificateAuthorities: CertificateAuthorities = .system,
        proxy: HTTPProxy? = nil,
        connectTimeout: Duration = .seconds(10)
    ) {
        self.certificateAuthorities = certificateAuthorities
        self.proxy = proxy
        self.connectTimeout = connectTimeout
    }
}
