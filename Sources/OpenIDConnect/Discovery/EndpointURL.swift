public import APIClient

/// The address of one of a provider's endpoints: https, or http where the provider itself is on this machine.
///
/// May have a query of its own, and no fragment.
/// [RFC 6749, 3.1](https://www.rfc-editor.org/rfc/rfc6749#section-3.1),
/// [3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2).
public struct EndpointURL: Sendable, Hashable, CustomStringConvertible {
    /// The address as the provider wrote it.
    public let description: String
    let address: AbsoluteURL
    /// The origin, for a client of its own.
    let server: BaseURL

    /// Checks an address.
    ///
    /// - Parameters:
    ///   - text: An absolute URL without user and fragment. May be from outside.
    ///   - issuer: Whose endpoint it is: plain http is taken only where the issuer is of plain http itself.
    /// - Throws: ``BaseURLError`` (`malformed`, `unsupportedScheme`, `insecure`, `unexpectedPart`).
    public init(_ text: String, of issuer: Issuer) throws(BaseURLError) {
        // RFC 6749, 3.1 and 3.2: MUST NOT include a fragment.
        guard text.utf8.count <= 2_048, !text.utf8.contains(UInt8(ascii: "#")) else {
            throw BaseURLError(text.utf8.contains(UInt8(ascii: "#")) ? .unexpectedPart : .malformed)
        }
        address = try AbsoluteURL(text, insecureHTTP: issuer.insecureHTTP)
        server = try BaseURL(address.origin, insecureHTTP: issuer.insecureHTTP)
        // A provider out there has no business with what listens on this machine.
        guard server.scheme == "https" || issuer.baseURL.scheme == "http" else { throw BaseURLError(.insecure) }
        description = text
    }

    /// The path alone, as it goes out.
    var path: String { String(address.target.prefix { $0 != "?" }) }

    /// The address with more in its query.
    func adding(_ items: [(String, String)]) -> String {
        description + (description.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + FormEncoding.encode(items)
    }
}
