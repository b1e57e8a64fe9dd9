// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The address of a server: scheme, host, port and an optional path prefix, checked once.
///
/// Plain http is refused by default, except on a loopback address, so that no credential crosses a network in clear.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    /// The policy for plain http.
    public enum InsecureHTTP: Sendable {
        /// Plain http is refused, except on a loopback address.
        case refuse
        /// Plain http is accepted everywhere: anyone on the network can read the tokens.
        case insecurelyAllowHTTP
    }

    /// The scheme, `https` or `http`.
    public let scheme: String
    /// The host, and the port if it is not the scheme's default, as in a `Host` header.
    public let authority: String
    /// The host alone, in lower case, without the brackets of an IPv6 address.
    public let host: String
    /// The prefix before every endpoint's path: empty, or beginning with a slash and not ending with one.
    public let pathPrefix: String

    /// Checks the address of a server.
    ///
    /// - Parameters:
    ///   - text: An absolute URL without a user, query and fragment.
    ///   - insecureHTTP: Whether plain http is allowed to a host that is not loopback.
    /// - Throws: ``BaseURLError`` (`malformed`, `unsupportedScheme`, `insecure`, `unexpectedPart`).
    public init(_ text: String, insecureHTTP: InsecureHTTP = .refuse) throws(BaseURLError) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty
        else { throw BaseURLError(.malformed) }
        guard scheme == "https" || scheme == "http" else { throw BaseURLError(.unsupportedScheme) }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw BaseURLError(.unexpectedPart)
        }
        // `URLComponents` decodes the host: an escaped slash or NUL would change the origin when it is sent.
        guard host.utf8.allSatisfy(Self.isHostByte) else { throw BaseURLError(.malformed) }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        if scheme == "http" && insecureHTTP == .refuse && !LoopbackHost.contains(bare) {
            throw BaseURLError(.insecure)
        }
        self.scheme = scheme
        self.host = bare
        let standardPort = scheme == "https" ? 443 : 80
        let port = parts.port ?? standardPort
        guard (1...65_535).contains(port) else { throw BaseURLError(.malformed) }
        let bracketed = bare.contains(":") ? "[\(bare)]" : bare
        authority = port == standardPort ? bracketed : "\(bracketed):\(port)"
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        guard !FormEncoding.hasDotSegment(path) else { throw BaseURLError(.unexpectedPart) }
        pathPrefix = path
    }

    /// Takes the origin of an absolute URL, such as a link in a response.
    ///
    /// Path, query and fragment are left out.
    ///
    /// - Throws: ``BaseURLError``, as ``init(_:insecureHTTP:)``.
    public init(originOf text: String, insecureHTTP: InsecureHTTP = .refuse) throws(BaseURLError) {
        try self.init(AbsoluteURL(text, insecureHTTP: insecureHTTP).origin, insecureHTTP: insecureHTTP)
    }

    /// Whether a byte may appear in a host name or IP address.
    ///
    /// A plus sign is safe: no loopback host contains one, so plain http to such a name is refused by default.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        TokenCharacters.isUnreserved(byte) || ":[]+".utf8.contains(byte)
    }

    /// The scheme and authority, which credentials are bound to.
    ///
    /// [RFC 6454, 4](https://www.rfc-editor.org/rfc/rfc6454#section-4).
    public var origin: String { "\(scheme)://\(authority)" }

    /// The whole address.
    public var description: String { origin + pathPrefix }
}

/// The error of a text that is not a valid server address.
///
/// Contains no part of the text.
public struct BaseURLError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The reason for the error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The text is not an absolute URL.
        public static let malformed = Code(description: "malformed")
        /// The scheme is neither https nor http.
        public static let unsupportedScheme = Code(description: "unsupportedScheme")
        /// The address is plain http and not loopback.
        public static let insecure = Code(description: "insecure")
        /// The text has a user, password, query, fragment or dot segment, which a server address must not have.
        public static let unexpectedPart = Code(description: "unexpectedPart")
    }

    /// The reason for the error.
    public let code: Code

    /// Creates an error.
    package init(_ code: Code) {
        self.code = code
    }

    /// A sentence that describes the error.
    public var description: String {
        switch code {
        case .unsupportedScheme: "A server's address must begin with https://."
        case .insecure: "Plain http is allowed only for a loopback address; use https."
        case .unexpectedPart: "A server's address must not contain a user, query, fragment or dot segment."
        default: "This is not a valid server address."
        }
    }

    /// The same sentence, for `localizedDescription`.
    public var errorDescription: String? { description }
}

/// The loopback hosts, whose traffic never leaves the machine.
enum LoopbackHost {
    /// Whether a host is `localhost`, `::1` or in 127.0.0.0/8.
    static func contains(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        // `UInt8("+1")` is 1, and "+1" is a name.
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.utf8.allSatisfy(ASCIIText.isDigit) && UInt8($0) != nil }
    }
}
