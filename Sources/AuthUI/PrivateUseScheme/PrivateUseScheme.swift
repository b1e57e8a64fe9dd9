// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
/// An app's private-use URI scheme: its reverse domain name, which only the app's owner may use.
///
/// [RFC 8252, 7.1](https://www.rfc-editor.org/rfc/rfc8252#section-7.1).
public struct PrivateUseScheme: Sendable, Hashable {
    /// The greatest length of an address that an app is opened with, in bytes.
    static let maximumAddressLength = 16_384
    /// The greatest length of a scheme: the name of its desktop entry must fit into a file name.
    private static let maximumLength = 200

    /// The scheme in lowercase, without the colon.
    public let name: String

    /// Creates a scheme.
    ///
    /// Returns nil if the name can't be a scheme by RFC 3986, 3.1, if it is longer than 200 characters, or if it has no
    /// period: RFC 8252, 7.1, requires a domain name in reverse order, so that no other app has the same scheme.
    ///
    /// - Parameter name: The scheme without the colon, in either case.
    public init?(_ name: String) {
        let bytes = name.lowercased().utf8
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = bytes.first, letters.contains(first), bytes.count <= Self.maximumLength else { return nil }
        let others = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isValid = bytes.allSatisfy { letters.contains($0) || others.contains($0) || "+-.".utf8.contains($0) }
        guard isValid, bytes.contains(UInt8(ascii: ".")) else { return nil }
        self.name = name.lowercased()
    }

    /// Returns whether an address has this scheme and the form of a URI.
    ///
    /// A URI consists of visible ASCII characters. One of more than 16,384 bytes is refused.
    /// [RFC 3986, 2](https://www.rfc-editor.org/rfc/rfc3986#section-2).
    ///
    /// - Parameter address: The address that the app was opened with. Untrusted; may contain an authorization code.
    /// - Returns: Whether the address is for this app. The pending sign-in decides what it is worth.
    public func matches(_ address: String) -> Bool {
        let bytes = address.utf8
        guard bytes.count <= Self.maximumAddressLength, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return false
        }
        return bytes.prefix { $0 != UInt8(ascii: ":") }.count == name.utf8.count && bytes.count > name.utf8.count
            && address.prefix(name.utf8.count).lowercased() == name
    }

    /// The MIME type that stands for the scheme.
    ///
    /// [Shared MIME-info Database](https://specifications.freedesktop.org/shared-mime-info-spec/latest/).
    var mimeType: String { "x-scheme-handler/\(name)" }
}
#endif
