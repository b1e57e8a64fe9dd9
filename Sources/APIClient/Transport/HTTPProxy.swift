public import AuthCore

/// An HTTP proxy, which makes a tunnel to each server and sees nothing of what goes through it under TLS.
///
/// Wire: `CONNECT`. [RFC 9110, 9.3.6](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6).
public struct HTTPProxy: Sendable {
    /// Who may use a proxy.
    ///
    /// Printed or dumped it shows nothing.
    ///
    /// Wire: `Proxy-Authorization: Basic`, which the proxy gets unencrypted.
    public struct Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The name; without a colon.
        public let username: String
        /// The password.
        ///
        /// Secret.
        public let password: Password

        /// Makes credentials.
        ///
        /// - Parameters:
        ///   - username: The name; without a colon.
        ///   - password: The password. Secret.
        public init(username: String, password: Password) {
            self.username = username
            self.password = password
        }

        /// Always `<redacted>`.
        public var description: String { "<redacted>" }
        /// Always `<redacted>`.
        public var debugDescription: String { description }
        /// Without children.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Its name or address.
    public let host: String
    /// Its port.
    public let port: Int
    /// Who uses it, where it asks; goes to the proxy and never to a server.
    public let credentials: Credentials?

    /// Names a proxy.
    ///
    /// - Parameters:
    ///   - host: Its name or address.
    ///   - port: Its port.
    ///   - credentials: Who uses it, where it asks.
    public init(host: String, port: Int, credentials: Credentials? = nil) {
        self.host = host
        self.port = port
        self.credentials = credentials
    }

    /// Checks what came from outside.
    ///
    /// A colon in the name would make another name of it: [RFC 7617, 2](https://www.rfc-editor.org/rfc/rfc7617#section-2).
    ///
    /// - Throws: ``TransportSettingsError`` (`invalidProxy`).
    func check() throws {
        let isHost = !host.isEmpty && host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"@/?#\\".utf8.contains($0) }
        guard isHost, (1...65_535).contains(port), credentials?.username.utf8.contains(UInt8(ascii: ":")) != true else {
            throw TransportSettingsError(.invalidProxy)
        }
    }
}
