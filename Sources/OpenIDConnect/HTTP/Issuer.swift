// SPDX-License-Identifier: Apache-2.0

public import APIClient

/// An issuer identifier: the https URL that names an OpenID provider, compared character by character.
///
/// Wire: `issuer`, `iss`. [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
public struct Issuer: Sendable, Hashable, CustomStringConvertible {
    /// The identifier exactly as given.
    public let identifier: String
    /// The identifier as a URL for requests.
    public let baseURL: BaseURL
    /// The known behavior of the provider.
    public let profile: ProviderProfile
    /// The caller's policy on plain http for the endpoints: a loopback issuer doesn't allow plain http elsewhere.
    let insecureHTTP: BaseURL.InsecureHTTP
    /// Whether only an API's metadata named the issuer, and not the app.
    package private(set) var isNamedByResource = false

    /// Checks an issuer identifier.
    ///
    /// - Parameters:
    ///   - identifier: An https URL without query and fragment; plain http for a loopback address.
    ///   - profile: The known behavior of the provider; nil for the profile that the issuer brings by itself.
    /// - Throws: `BaseURLError`.
    public init(
        _ identifier: String,
        insecureHTTP: BaseURL.InsecureHTTP = .refuse,
        profile: ProviderProfile? = nil
    ) throws(BaseURLError) {
        baseURL = try BaseURL(identifier, insecureHTTP: insecureHTTP)
        self.identifier = identifier
        self.insecureHTTP = insecureHTTP
        self.profile =
            profile ?? .of(scheme: baseURL.scheme, authority: baseURL.authority, path: baseURL.pathPrefix)
    }

    /// Returns the same issuer with another profile.
    public func with(_ profile: ProviderProfile) -> Issuer { Issuer(self, identifier, baseURL, profile) }

    /// Returns the same issuer as one that only an API's metadata named.
    package func namedByResource() -> Issuer {
        var issuer = self
        issuer.isNamedByResource = true
        return issuer
    }

    /// Returns the issuer with the identifier of one tenant.
    func named(_ identifier: String) throws(BaseURLError) -> Issuer {
        Issuer(self, identifier, try BaseURL(identifier, insecureHTTP: insecureHTTP), profile)
    }

    private init(_ other: Issuer, _ identifier: String, _ baseURL: BaseURL, _ profile: ProviderProfile) {
        self.identifier = identifier
        self.baseURL = baseURL
        self.profile = profile
        insecureHTTP = other.insecureHTTP
        isNamedByResource = other.isNamedByResource
    }

    /// Returns whether a text equals the identifier byte for byte.
    ///
    /// `==` on strings treats different encodings of a character as equal.
    func isNamed(_ text: String) -> Bool { text.utf8.elementsEqual(identifier.utf8) }

    /// The identifier.
    public var description: String { identifier }
}
