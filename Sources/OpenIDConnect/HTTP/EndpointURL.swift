// SPDX-License-Identifier: Apache-2.0

public import APIClient

/// The URL of a provider's endpoint: https, and http only if the issuer itself is an http URL.
///
/// May have a query, but no fragment.
/// [RFC 6749, 3.1](https://www.rfc-editor.org/rfc/rfc6749#section-3.1),
/// [3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
public struct EndpointURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL as the provider wrote it.
    public let description: String
    let address: AbsoluteURL
    /// The endpoint's origin, as the base URL of its API client.
    let server: BaseURL

    /// Checks a URL.
    ///
    /// - Parameters:
    ///   - text: An absolute URL without user and fragment. May be untrusted.
    ///   - issuer: The issuer of the endpoint. Plain http is accepted only if the issuer is an http URL itself.
    /// - Throws: `BaseURLError` (`malformed`, `unsupportedScheme`, `insecure`, `unexpectedPart`).
    public init(_ text: String, of issuer: Issuer) throws(BaseURLError) {
        // RFC 6749, 3.1 and 3.2: MUST NOT include a fragment.
        guard text.utf8.count <= 2_048, !text.utf8.contains(UInt8(ascii: "#")) else {
            throw BaseURLError(text.utf8.contains(UInt8(ascii: "#")) ? .unexpectedPart : .malformed)
        }
        address = try AbsoluteURL(text, insecureHTTP: issuer.insecureHTTP)
        server = try BaseURL(address.origin, insecureHTTP: issuer.insecureHTTP)
        // A provider on the network must not send requests to a service on this machine.
        guard server.scheme == "https" || issuer.baseURL.scheme == "http" else { throw BaseURLError(.insecure) }
        description = text
    }

    /// The path without the query, as it is sent.
    var path: String { String(address.target.prefix { $0 != "?" }) }

    /// Returns the URL with more items in its query.
    func adding(_ items: [(String, String)]) -> String {
        description + (description.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + FormEncoding.encode(items)
    }
}
