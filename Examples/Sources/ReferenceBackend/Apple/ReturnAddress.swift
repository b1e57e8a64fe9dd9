// SPDX-License-Identifier: Apache-2.0

/// The address that the browser comes back to after a sign-in with Apple that the backend carries out.
///
/// Never any other address than these two kinds, so that the backend is no open redirector:
///
/// - `http://127.0.0.1:PORT/...` or `http://[::1]:PORT/...`: a listener of the app on the user's machine. No name,
///   which the machine's settings could resolve to another address.
///   [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
/// - `BUNDLE-ID:/...`: the app's own scheme.
///   [RFC 8252, 7.1](https://www.rfc-editor.org/rfc/rfc8252#section-7.1).
struct ReturnAddress: Sendable {
    let text: String

    /// Checks an address; nil if it is not allowed.
    ///
    /// - Parameters:
    ///   - text: The address. Untrusted.
    ///   - app: The app's bundle identifier.
    init?(_ text: String, of app: String) {
        guard text.utf8.count <= 512, text.utf8.allSatisfy(Self.isAllowed),
            Self.isLoopback(text) || text.lowercased().hasPrefix(app.lowercased() + ":/")
        else { return nil }
        self.text = text
    }

    private static func isLoopback(_ text: String) -> Bool {
        for origin in ["http://127.0.0.1:", "http://[::1]:"] where text.hasPrefix(origin) {
            let rest = text.dropFirst(origin.count)
            let port = rest.prefix { $0 != "/" }
            guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(port)
            else { return false }
            return (1...65_535).contains(number) && rest.count > port.count
        }
        return false
    }

    /// Returns whether a byte may stand in an address without a query, a fragment or a backslash.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@/%[]".utf8.contains(byte)
        }
    }
}
