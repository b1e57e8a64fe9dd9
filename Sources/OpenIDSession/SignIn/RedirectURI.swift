// SPDX-License-Identifier: Apache-2.0

/// A redirect URI that the system can wait for: a scheme of the app's own, or a page of its web site.
///
/// [RFC 8252, 7](https://www.rfc-editor.org/rfc/rfc8252#section-7).
enum RedirectURI: Sendable, Hashable {
    /// A custom scheme: `recipe`, from `recipe://callback` or `recipe:/callback`.
    case scheme(String)
    /// The host and path of a page on a site that names the app.
    case page(host: String, path: String)

    /// Reads a redirect URI, as registered at the provider.
    ///
    /// Returns nil if the URI can't lead back to an app: no scheme, `http`, or a page with a port, a user or a query.
    init?(_ uri: String) {
        let parts = uri.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].utf8.first, Self.isLetter(first),
            parts[0].utf8.allSatisfy({ Self.isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
        else { return nil }
        // RFC 3986, 3.1: schemes are compared without case.
        let scheme = parts[0].lowercased()
        guard scheme == "http" || scheme == "https" else {
            self = .scheme(scheme)
            return
        }
        guard scheme == "https", parts[1].hasPrefix("//") else { return nil }
        let address = parts[1].dropFirst(2)
        let host = address.prefix { $0 != "/" }
        let path = address.dropFirst(host.count)
        // An app's entitlement can't name a user, a port or an IPv6 address.
        guard !host.isEmpty, !host.contains(where: { ":@[]?#".contains($0) }),
            !path.contains(where: { "?#".contains($0) })
        else { return nil }
        self = .page(host: host.lowercased(), path: path.isEmpty ? "/" : String(path))
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
