// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// An HTTP proxy, which opens a tunnel to each server and can't read the TLS traffic in it.
///
/// Wire: `CONNECT`. [RFC 9110, 9.3.6](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6).
public struct HTTPProxy: Sendable {
    /// The credentials for a proxy.
    ///
    /// Their description shows nothing.
    ///
    /// Wire: `Proxy-Authorization: Basic`, which the proxy receives unencrypted.
    public struct Credentials: Sendable, Redacted {
        /// The user name, without a colon.
        public let username: String
        /// The password.
        ///
        /// Secret.
        public let password: Password

        /// Creates credentials.
        ///
        /// - Parameters:
        ///   - username: The user name, without a colon.
        ///   - password: The password. Secret.
        public init(username: String, password: Password) {
            self.username = username
            self.password = password
        }

        /// Always `<redacted>`.
        public var description: String { "<redacted>" }
    }

    /// The proxy's name or address.
    public let host: String
    /// The proxy's port.
    public let port: Int
    /// The credentials, sent to the proxy and never to a server; nil if the proxy needs no authentication.
    public let credentials: Credentials?

    /// Creates a proxy.
    ///
    /// - Parameters:
    ///   - host: The proxy's name or address.
    ///   - port: The proxy's port.
    ///   - credentials: The credentials; nil if the proxy needs no authentication.
    public init(host: String, port: Int, credentials: Credentials? = nil) {
        self.host = host
        self.port = port
        self.credentials = credentials
    }

    /// Checks the values, which may be untrusted.
    ///
    /// A colon in the user name would end it early: [RFC 7617, 2](https://www.rfc-editor.org/rfc/rfc7617#section-2).
    ///
    /// - Throws: ``TransportSettingsError`` (`invalidProxy`).
    func check() throws {
        let isHost = !host.isEmpty && host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"@/?#\\".utf8.contains($0) }
        guard isHost, (1...65_535).contains(port), credentials?.username.utf8.contains(UInt8(ascii: ":")) != true else {
            throw TransportSettingsError(.invalidProxy)
        }
    }
}
