// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// An absolute URL to call, such as the next page from a decoded response.
///
/// The description shows the origin alone: paths and queries of such URLs are often secrets.
public struct AbsoluteURL: Sendable, Hashable {
    /// The scheme and authority, as ``BaseURL/origin``.
    public let origin: String
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

    init(_ reference: URIReference, insecureHTTP: BaseURL.InsecureHTTP) throws(BaseURLError) {
        guard let scheme = reference.scheme, let authority = reference.authority else { throw BaseURLError(.malformed) }
        origin = try BaseURL("\(scheme)://\(authority)", insecureHTTP: insecureHTTP).origin
        let path = reference.path.isEmpty ? "/" : reference.path
        target = reference.query.map { "\(path)?\($0)" } ?? path
    }
}

extension AbsoluteURL: Redacted {
    /// The origin.
    public var description: String { "\(origin)/<redacted>" }
}
