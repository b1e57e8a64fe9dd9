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
    /// The policy for plain http to a host that is not loopback.
    public enum InsecureHTTP: Sendable {
        /// An error, `insecure`.
        case refuse
        /// Anyone on the network can read the tokens.
        case insecurelyAllowHTTP
    }

    /// `https` or `http`.
    public let scheme: String
    /// The host, and the port if it is not the scheme's default, as in a `Host` header.
    public let authority: String
    /// The host alone, in lower case, without the brackets of an IPv6 address.
    public let host: String
    /// The prefix before every endpoint's path: empty, or beginning with a slash and not ending with one.
    public let pathPrefix: String

    /// Checks the address of a server.
    ///
    /// - Parameter text: An absolute URL without a user, query and fragment.
    /// - Throws: ``BaseURLError`` (`malformed`, `unsupportedScheme`, `insecure`, `unexpectedPart`).
    public init(_ text: String, insecureHTTP: InsecureHTTP = .refuse) throws(BaseURLError) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy(TokenCharacters.isVisibleWithoutSpace),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty
        else { throw BaseURLError(.malformed) }
        guard scheme == "https" || scheme == "http" else { throw BaseURLError(.unsupportedScheme) }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw BaseURLError(.unexpectedPart)
        }
        // `URLComponents` decodes the host: an escaped slash or NUL would change the origin when it is sent.
        guard host.utf8.allSatisfy({ TokenCharacters.isUnreserved($0) || ":[]+".utf8.contains($0) }) else {
            throw BaseURLError(.malformed)
        }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        if scheme == "http" && insecureHTTP == .refuse && !Self.isLoopback(bare) {
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

    /// Takes the origin of an absolute URL, such as a link in a response; leaves out path, query and fragment.
    ///
    /// - Throws: ``BaseURLError``, as ``init(_:insecureHTTP:)``.
    public init(originOf text: String, insecureHTTP: InsecureHTTP = .refuse) throws(BaseURLError) {
        try self.init(AbsoluteURL(text, insecureHTTP: insecureHTTP).origin, insecureHTTP: insecureHTTP)
    }

    /// Whether a host is `localhost`, `::1` or in 127.0.0.0/8: its traffic never leaves the machine.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        // `UInt8("+1")` is 1, and "+1" is a name.
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.utf8.allSatisfy(ASCIIText.isDigit) && UInt8($0) != nil }
    }

    /// The scheme and authority, which credentials are bound to (RFC 6454, 4).
    public var origin: String { "\(scheme)://\(authority)" }

    public var description: String { origin + pathPrefix }
}

/// The error of a text that is not a valid server address.
///
/// Contains no part of the text.
public struct BaseURLError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The reason for the error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let description: String
        fileprivate let sentence: String

        private init(_ name: String, _ sentence: String) { (description, self.sentence) = (name, sentence) }

        /// The text is not an absolute URL.
        public static let malformed = Code("malformed", "This is not a valid server address.")
        /// The scheme is neither https nor http.
        public static let unsupportedScheme =
            Code("unsupportedScheme", "A server's address must begin with https://.")
        /// The address is plain http and not loopback.
        public static let insecure =
            Code("insecure", "Plain http is allowed only for a loopback address; use https.")
        /// The address is local, and a server on the network names it.
        public static let localAddress =
            Code("localAddress", "A server on the network must not name a loopback or private address.")
        /// The text has a user, password, query, fragment or dot segment, which a server address must not have.
        public static let unexpectedPart =
            Code("unexpectedPart", "A server's address must not contain a user, query, fragment or dot segment.")
    }

    /// The reason for the error.
    public let code: Code

    /// Creates an error.
    package init(_ code: Code) { self.code = code }

    public var description: String { code.sentence }

    public var errorDescription: String? { description }
}
