// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
/// A redirect to this machine ([RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3)).
///
/// The defaults: an IP address instead of a name, and a free port. A provider that supports native apps accepts any
/// port.
public struct LoopbackRedirect: Sendable, Hashable {
    /// The form in which the redirect URI names this machine.
    public enum Host: Sendable, Hashable {
        /// The address `127.0.0.1`, or `[::1]` if the machine has no other.
        case address
        /// The name `localhost`, for providers that accept nothing else; not recommended (RFC 8252, 8.3).
        case localhost
    }

    /// The form in which the redirect URI names this machine.
    public var host: Host
    /// The port, fixed only for a provider that compares ports; 0 for any free one.
    public var port: Int
    /// The path, as registered at the provider: empty, or begins with one slash.
    ///
    /// Has no query, no dot segments and no escapes, which browsers write in different ways.
    public var path: String
    /// The app's name on the pages in the browser, shown as text of at most 64 characters; nil for "the app".
    public var appName: String?

    /// Creates a redirect.
    public init(host: Host = .address, port: Int = 0, path: String = "/callback", appName: String? = nil) {
        (self.host, self.port, self.path, self.appName) = (host, port, path, appName)
    }

    /// Creates the redirect that a provider's profile names.
    public init(_ rule: ProviderProfile.RedirectRule, appName: String? = nil) {
        self.init(host: rule.usesLocalhost ? .localhost : .address, port: rule.port, path: rule.path, appName: appName)
    }

    /// Whether the port is valid and browsers send the path exactly as written.
    var isUsable: Bool {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~!$&'()*+,;=:@".utf8)
        let isWritten = path.isEmpty || path.hasPrefix("/") && !path.hasPrefix("//")
        return isWritten && path.utf8.count <= 256 && path.utf8.allSatisfy(allowed.contains)
            && Set(path.split(separator: "/")).isDisjoint(with: [".", ".."]) && (0...65_535).contains(port)
    }
}
#endif
