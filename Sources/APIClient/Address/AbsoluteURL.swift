/// A whole address to call, out of a decoded answer for one: the next page, a file to download.
///
/// Credentials go with the call only where its origin is one that the client was made for. Printed it shows its origin
/// alone: paths and queries of such addresses are often secrets themselves.
public struct AbsoluteURL: Sendable, Hashable {
    /// Scheme and authority, as ``BaseURL/origin``.
    public let origin: String
    let scheme: String
    let authority: String
    /// Path and query as they go out; begins with a slash.
    package let target: String

    /// Checks an address.
    ///
    /// - Parameters:
    ///   - text: An absolute URL without user. A fragment is left out. May be from outside.
    ///   - insecureHTTP: What is done about plain http to other than a loopback address.
    /// - Throws: ``BaseURLError`` (`malformed`, `unsupportedScheme`, `insecure`, `unexpectedPart`).
    public init(_ text: String, insecureHTTP: BaseURL.InsecureHTTP = .refuse) throws(BaseURLError) {
        guard let reference = URIReference(text) else { throw BaseURLError(.malformed) }
        try self.init(reference, insecureHTTP: insecureHTTP)
    }

    /// Where a relative or absolute reference leads from here.
    ///
    /// - Parameter reference: As in a `Location` field. From outside.
    /// - Returns: The address, also one of plain http: whether that may be gone to is for who follows to say.
    /// - Throws: ``BaseURLError``.
    func following(_ reference: String) throws(BaseURLError) -> AbsoluteURL {
        guard let there = URIReference(reference), let here = URIReference(origin + target) else {
            throw BaseURLError(.malformed)
        }
        return try AbsoluteURL(there.resolved(against: here), insecureHTTP: .insecurelyAllowHTTP)
    }

    private init(_ reference: URIReference, insecureHTTP: BaseURL.InsecureHTTP) throws(BaseURLError) {
        guard let scheme = reference.scheme, let authority = reference.authority else { throw BaseURLError(.malformed) }
        let server = try BaseURL("\(scheme)://\(authority)", insecureHTTP: insecureHTTP)
        let path = reference.path.isEmpty ? "/" : reference.path
        self.init(server, target: reference.query.map { "\(path)?\($0)" } ?? path)
    }

    init(_ server: BaseURL, target: String) {
        origin = server.origin
        scheme = server.scheme
        authority = server.authority
        self.target = target
    }

    /// The same with more items in its query.
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

    /// Whether whoever listens on the way can't read along: https, or a loopback address.
    var isPrivate: Bool { (try? BaseURL(origin)) != nil }

}

extension AbsoluteURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin.
    public var description: String { "\(origin)/<redacted>" }
    /// The origin.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
