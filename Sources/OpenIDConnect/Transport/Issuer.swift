public import APIClient

/// An issuer identifier: the https URL that names an OpenID provider, compared character by character.
///
/// Wire: `issuer`, `iss`. [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
public struct Issuer: Sendable, Hashable, CustomStringConvertible {
    /// The identifier exactly as given.
    public let identifier: String
    /// The identifier as a URL for requests.
    public let baseURL: BaseURL
    /// The caller's policy on plain http for the endpoints: a loopback issuer doesn't allow plain http elsewhere.
    let insecureHTTP: BaseURL.InsecureHTTP

    /// Checks an issuer identifier.
    ///
    /// - Parameters:
    ///   - identifier: An https URL without query and fragment; plain http for a loopback address.
    ///   - insecureHTTP: The policy on plain http beyond loopback addresses.
    /// - Throws: `BaseURLError`.
    public init(_ identifier: String, insecureHTTP: BaseURL.InsecureHTTP = .refuse) throws(BaseURLError) {
        baseURL = try BaseURL(identifier, insecureHTTP: insecureHTTP)
        self.identifier = identifier
        self.insecureHTTP = insecureHTTP
    }

    /// Returns whether a text equals the identifier byte for byte.
    ///
    /// `==` on strings treats different encodings of a character as equal.
    func isNamed(_ text: String) -> Bool { text.utf8.elementsEqual(identifier.utf8) }

    /// The identifier.
    public var description: String { identifier }
}
