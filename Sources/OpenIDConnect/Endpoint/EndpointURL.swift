// SPDX-License-Identifier: Apache-2.0

public import APIClient

/// The URL of a provider's endpoint: https, and http only if the issuer itself is an http URL; it has no fragment.
///
/// Its host is a loopback, private, link-local or unspecified address, or `localhost`, only if the issuer's is one.
public struct EndpointURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL as the provider wrote it.
    public let description: String
    let address: AbsoluteURL
    /// The endpoint's origin, as the base URL of its API client.
    let server: BaseURL

    /// Checks an untrusted absolute URL.
    public init(_ text: String, of issuer: Issuer) throws(BaseURLError) {
        // RFC 6749, 3.1 and 3.2: MUST NOT include a fragment.
        guard text.utf8.count <= 2_048, !text.utf8.contains(UInt8(ascii: "#")) else {
            throw BaseURLError(text.utf8.contains(UInt8(ascii: "#")) ? .unexpectedPart : .malformed)
        }
        address = try AbsoluteURL(text, insecureHTTP: issuer.insecureHTTP)
        server = try BaseURL(address.origin, insecureHTTP: issuer.insecureHTTP)
        // A provider on the network must not send requests to a service on this machine or in its network.
        guard server.scheme == "https" || issuer.baseURL.scheme == "http" else { throw BaseURLError(.insecure) }
        guard issuer.baseURL.isLocal || !server.isLocal else { throw BaseURLError(.localAddress) }
        description = text
    }

    var path: String { String(address.target.prefix { $0 != "?" }) }

    func adding(_ items: [(String, String)]) -> String {
        description + (description.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + FormEncoding.encode(items)
    }
}

extension ProviderDocument {
    func endpoint(_ member: String, of issuer: Issuer) throws(MemberError) -> EndpointURL? {
        guard let text = try optionalText(member) else { return nil }
        do {
            return try EndpointURL(text, of: issuer)
        } catch {
            throw MemberError(member: member, underlying: error)
        }
    }
}
