// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The certificate authorities, the client certificate and the proxy of a transport.
///
/// No setting turns off the verification of a server's certificate.
public struct TransportSettings: Sendable, Redacted {
    /// A certificate that a client presents to servers that request one.
    ///
    /// It goes to every server that asks, with a proof that the client has the key, and with TLS 1.2 an observer can
    /// read it: give the transport only to clients of servers that may know it.
    public struct ClientCertificate: Sendable {
        /// The path of a file in PEM: the client's certificate, followed by those of intermediate authorities.
        public var certificateFile: String
        /// The path of a file in PEM with the unencrypted private key; may be the same file.
        public var privateKeyFile: String

        /// Creates a certificate from files, which are read for each new connection.
        public init(certificateFile: String, privateKeyFile: String) {
            self.certificateFile = certificateFile
            self.privateKeyFile = privateKeyFile
        }
    }

    /// The proxy for every request but those to a loopback host.
    public enum Proxy: Sendable, Redacted {
        /// `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, or the same in lower case, which goes first.
        ///
        /// Read when the transport is created. `HTTP_PROXY` does not count in a CGI program, whose clients set it.
        case environment
        /// No proxy.
        case none
        /// The proxy at a URL, such as `http://user:p%40ss@proxy.example:3128`. Secret, if it has a password.
        ///
        /// The scheme is `http`, `https`, `socks5` or `socks5h`.
        case url(String)
    }

    /// The path of a file in PEM with further authorities to trust; nil for the system's alone.
    public var certificateAuthorities: String?
    /// Whether the system's authorities are trusted too if ``certificateAuthorities`` is set.
    ///
    /// For the variable `SSL_CERT_FILE` of OpenSSL it is false.
    public var trustsSystemAuthorities: Bool
    /// The certificate that is presented to servers that request one; nil for none.
    ///
    /// [RFC 8705](https://www.rfc-editor.org/rfc/rfc8705).
    public var clientCertificate: ClientCertificate?
    /// The proxy.
    public var proxy: Proxy

    /// Creates settings.
    public init(
        certificateAuthorities: String? = nil,
        trustsSystemAuthorities: Bool = true,
        clientCertificate: ClientCertificate? = nil,
        proxy: Proxy = .environment
    ) {
        self.certificateAuthorities = certificateAuthorities
        self.trustsSystemAuthorities = trustsSystemAuthorities
        self.clientCertificate = clientCertificate
        self.proxy = proxy
    }
}
