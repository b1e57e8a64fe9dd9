// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Synchronization

/// An absolute URL to call, such as the next page or a download from a decoded response.
///
/// Credentials go with the call only if its origin is one that the client was created for. The description shows the
/// origin alone: paths and queries of such URLs are often secrets.
public struct AbsoluteURL: Sendable, Hashable {
    /// The scheme and authority, as ``BaseURL/origin``.
    public let origin: String
    let scheme: String
    let authority: String
    /// The path and query as they are sent, beginning with a slash.
    package let target: String

    /// Checks an address.
    ///
    /// - Parameters:
    ///   - text: An absolute URL without a user. A fragment is dropped. May be untrusted.
    ///   - insecureHTTP: The policy for plain http to an address that is not loopback.
    /// - Throws: ``BaseURLError`` (`malformed`, `unsupportedScheme`, `insecure`, `unexpectedPart`).
    public init(_ text: String, insecureHTTP: BaseURL.InsecureHTTP = .refuse) throws(BaseURLError) {
        guard let reference = URIReference(text) else { throw BaseURLError(.malformed) }
        try self.init(reference, insecureHTTP: insecureHTTP)
    }

    /// Resolves a relative or absolute reference against this URL.
    ///
    /// - Parameter reference: The value of a `Location` field. Untrusted.
    /// - Returns: The URL. It may be plain http: the caller decides whether to follow it.
    /// - Throws: ``BaseURLError``.
    func following(_ reference: String) throws(BaseURLError) -> AbsoluteURL {
        guard let there = URIReference(reference), let here = URIReference(origin + target) else {
            throw BaseURLError(.malformed)
        }
        return try AbsoluteURL(there.resolved(against: here), insecureHTTP: .insecurelyAllowHTTP)
    }

    private init(_ reference: URIReference, insecureHTTP: BaseURL.InsecureHTTP) throws(BaseURLError) {
        guard let scheme = reference.scheme, let authority = reference.authority else { throw BaseURLError(.malformed) }
        let server = try CheckedServers.server("\(scheme)://\(authority)", insecureHTTP)
        let path = reference.path.isEmpty ? "/" : reference.path
        self.init(server, target: reference.query.map { "\(path)?\($0)" } ?? path)
    }

    init(_ server: BaseURL, target: String) {
        origin = server.origin
        scheme = server.scheme
        authority = server.authority
        self.target = target
    }

    /// Returns the URL with more items in its query.
    func adding(_ items: [QueryItem]) -> AbsoluteURL {
        guard !items.isEmpty else { return self }
        return AbsoluteURL(self, target: target + (target.contains("?") ? "&" : "?") + RequestTarget.query(items))
    }

    private init(_ other: AbsoluteURL, target: String) {
        origin = other.origin
        scheme = other.scheme
        authority = other.authority
        self.target = target
    }

    /// Whether the traffic can't be read on the way: https, or a loopback address.
    var isSecure: Bool { (try? BaseURL(origin)) != nil }

}

extension AbsoluteURL: Redacted {
    /// The origin.
    public var description: String { "\(origin)/<redacted>" }
}

/// The servers whose addresses were checked last: the check takes most of a short request's own time.
private enum CheckedServers {
    /// More servers than most apps call.
    private static let maximum = 64
    private static let known = Mutex<[BaseURL.InsecureHTTP: [String: BaseURL]]>([:])

    static func server(_ origin: String, _ insecureHTTP: BaseURL.InsecureHTTP) throws(BaseURLError) -> BaseURL {
        if let server = known.withLock({ $0[insecureHTTP]?[origin] }) { return server }
        let server = try BaseURL(origin, insecureHTTP: insecureHTTP)
        known.withLock { known in
            if known[insecureHTTP, default: [:]].count >= maximum { known[insecureHTTP] = [:] }
            known[insecureHTTP, default: [:]][origin] = server
        }
        return server
    }
}
