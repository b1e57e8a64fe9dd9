public import APIClient

/// An issuer identifier: the https URL that names an OpenID provider, compared character by character.
///
/// Wire: `issuer`, `iss`. [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
public struct Issuer: Sendable, Hashable, CustomStringConvertible {
    /// The identifier exactly as it was given.
    public let identifier: String
    /// The same, as an address to send requests to.
    public let baseURL: BaseURL
    /// What its endpoints may be, as its caller said: a loopback issuer is no leave for plain http elsewhere.
    let insecureHTTP: BaseURL.InsecureHTTP

    /// Checks an issuer identifier.
    ///
    /// - Parameters:
    ///   - identifier: An https URL without query and fragment; plain http for a loopback address.
    ///   - insecureHTTP: What is done about plain http elsewhere.
    /// - Throws: ``BaseURLError``.
    public init(_ identifier: String, insecureHTTP: BaseURL.InsecureHTTP = .refuse) throws(BaseURLError) {
        baseURL = try BaseURL(identifier, insecureHTTP: insecureHTTP)
        self.identifier = identifier
        self.insecureHTTP = insecureHTTP
    }

    /// Whether a text names it: byte for byte, for `==` takes two spellings of one character for the same.
    func isNamed(_ text: String) -> Bool { text.utf8.elementsEqual(identifier.utf8) }

    /// The identifier.
    public var description: String { identifier }
}
