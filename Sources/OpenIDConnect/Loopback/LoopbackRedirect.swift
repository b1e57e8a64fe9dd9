#if LoopbackRedirect
/// Where on this machine the browser comes back to.
///
/// The defaults are what RFC 8252 asks for: an address and no name, and a port that is free now. A provider that knows
/// native apps takes any port there. [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
public struct LoopbackRedirect: Sendable, Hashable {
    /// How the redirect URI names this machine.
    public enum Host: Sendable, Hashable {
        /// By its address: `127.0.0.1`, or `[::1]` where a machine has no other.
        case address
        /// By the name `localhost`, for providers that take nothing else.
        ///
        /// Not recommended: what the name leads to is decided by the machine's settings.
        /// [RFC 8252, 8.3](https://www.rfc-editor.org/rfc/rfc8252#section-8.3).
        case localhost
    }

    /// How the redirect URI names this machine.
    public var host: Host
    /// The port; 0 for one that is free.
    public var port: Int
    /// The path, as it is registered with the provider.
    ///
    /// Begins with one slash. Has no query, no dotted steps and no escapes: browsers write those in their own way.
    public var path: String
    /// What the pages in the browser call the app; nil for "the app".
    public var appName: String?

    /// Makes a redirect.
    ///
    /// - Parameters:
    ///   - host: How the redirect URI names this machine.
    ///   - port: The port; 0 for one that is free. A fixed one only for a provider that compares ports.
    ///   - path: The path, as it is registered with the provider.
    ///   - appName: What the pages in the browser call the app. Shown as text, at most 64 characters of it.
    public init(host: Host = .address, port: Int = 0, path: String = "/callback", appName: String? = nil) {
        self.host = host
        self.port = port
        self.path = path
        self.appName = appName
    }

    /// Whether a browser could come back to it: a path that is sent as it is written, and a port that exists.
    var isUsable: Bool {
        (0...65_535).contains(port) && path.utf8.count <= 256 && path.first == "/" && !path.hasPrefix("//")
            && path.utf8.allSatisfy(Self.isPathCharacter) && !path.split(separator: "/").contains(where: Self.isDotted)
    }

    /// A character of a path that no browser writes in another way; escapes are left out, for they can be.
    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    /// A step that browsers take before they ask.
    private static func isDotted(_ segment: Substring) -> Bool { segment == "." || segment == ".." }
}
#endif
