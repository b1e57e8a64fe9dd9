// SPDX-License-Identifier: Apache-2.0

/// The comparison of a redirect with the redirect URI of its request.
///
/// [RFC 3986, 6.2.2.1](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.1): scheme and host are compared without
/// regard to case; browsers write them in lowercase.
package enum RedirectAddress {
    /// Returns the query of a redirect URL.
    ///
    /// - Parameters:
    ///   - url: The URL. Untrusted.
    ///   - redirectURI: The redirect URI of the request.
    /// - Returns: The query without its question mark, untrusted; nil if the URL doesn't match the redirect URI.
    package static func query(of url: String, redirectedTo redirectURI: String) -> String? {
        guard url.utf8.count <= 16_384 else { return nil }
        // The request didn't ask for a response in the fragment.
        let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let parts = address.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let target = parts.first, normalized(Substring(target)) == normalized(redirectURI[...]) else {
            return nil
        }
        return parts.count > 1 ? String(Substring(parts[1])) : ""
    }

    private static func normalized(_ address: Substring) -> [UInt8] {
        let bytes = Array(address.utf8)
        let afterScheme = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        guard bytes[afterScheme...].starts(with: "//".utf8) else {
            // No authority, as in `com.example.app:/callback`: the path begins after the scheme.
            return bytes[..<afterScheme].map(ASCIIText.lowercased) + bytes[afterScheme...]
        }
        let path = bytes[(afterScheme + 2)...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        // After an authority, an empty path equals "/".
        let rest = bytes[path...] == [UInt8(ascii: "/")] ? [] : bytes[path...]
        return bytes[..<path].map(ASCIIText.lowercased) + rest
    }
}
