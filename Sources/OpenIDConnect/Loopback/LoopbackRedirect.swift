// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
/// A redirect to this machine.
///
/// The defaults follow RFC 8252: an IP address instead of a name, and a free port. A provider that supports native apps
/// accepts any port there. [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
public struct LoopbackRedirect: Sendable, Hashable {
    /// The form in which the redirect URI names this machine.
    public enum Host: Sendable, Hashable {
        /// The address `127.0.0.1`, or `[::1]` if the machine has no other.
        case address
        /// The name `localhost`, for providers that accept nothing else.
        ///
        /// Not recommended: the machine's settings decide which address the name resolves to.
        /// [RFC 8252, 8.3](https://www.rfc-editor.org/rfc/rfc8252#section-8.3).
        case localhost
    }

    /// The form in which the redirect URI names this machine.
    public var host: Host
    /// The port; 0 for any free one.
    public var port: Int
    /// The path, as registered at the provider.
    ///
    /// Empty, or begins with one slash. Has no query, no dot segments and no escapes, which browsers write in different
    /// ways.
    public var path: String
    /// The app's name on the pages in the browser; nil for "the app".
    public var appName: String?

    /// Creates a redirect.
    ///
    /// - Parameters:
    ///   - host: The form in which the redirect URI names this machine.
    ///   - port: The port; 0 for any free one. Choose a fixed port only for a provider that compares ports.
    ///   - path: The path, as registered at the provider.
    ///   - appName: The app's name on the pages in the browser. Shown as text, at most 64 characters.
    public init(host: Host = .address, port: Int = 0, path: String = "/callback", appName: String? = nil) {
        self.host = host
        self.port = port
        self.path = path
        self.appName = appName
    }

    /// Creates the redirect that a provider's profile names.
    ///
    /// - Parameters:
    ///   - rule: The profile's rule.
    ///   - appName: The app's name on the pages in the browser.
    public init(_ rule: ProviderProfile.RedirectRule, appName: String? = nil) {
        self.init(
            host: rule.usesLocalhost ? .localhost : .address,
            port: rule.port,
            path: rule.path,
            appName: appName
        )
    }

    /// Whether the port is valid and browsers send the path exactly as written.
    var isUsable: Bool {
        (0...65_535).contains(port) && path.utf8.count <= 256 && path.first ?? "/" == "/" && !path.hasPrefix("//")
            && path.utf8.allSatisfy(Self.isPathCharacter) && !path.split(separator: "/").contains(where: Self.isDotted)
    }

    /// Returns whether every browser writes a character unchanged; excludes escapes, which browsers may rewrite.
    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    /// Returns whether a segment is a dot segment, which browsers resolve before the request.
    private static func isDotted(_ segment: Substring) -> Bool { segment == "." || segment == ".." }
}
#endif
