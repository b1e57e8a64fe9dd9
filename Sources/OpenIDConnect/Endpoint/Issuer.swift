// SPDX-License-Identifier: Apache-2.0

public import APIClient

/// An issuer identifier: the https URL that names an OpenID provider, compared character by character
/// ([OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)).
public struct Issuer: Sendable, Hashable, CustomStringConvertible {
    /// The identifier exactly as given.
    public private(set) var identifier: String
    /// The identifier as a URL for requests.
    public private(set) var baseURL: BaseURL
    /// The known behavior of the provider.
    public private(set) var profile: ProviderProfile
    /// The caller's policy on plain http for the endpoints: a loopback issuer doesn't allow plain http elsewhere.
    let insecureHTTP: BaseURL.InsecureHTTP
    /// Whether only an API's metadata named the issuer, and not the app.
    package private(set) var isNamedByResource = false

    /// Checks an issuer identifier: an https URL without query and fragment; plain http for a loopback address.
    public init(
        _ identifier: String,
        insecureHTTP: BaseURL.InsecureHTTP = .refuse,
        profile: ProviderProfile? = nil
    ) throws(BaseURLError) {
        baseURL = try BaseURL(identifier, insecureHTTP: insecureHTTP)
        self.identifier = identifier
        self.insecureHTTP = insecureHTTP
        self.profile = profile ?? .of(baseURL)
    }

    /// Returns the issuer whose metadata document has an address, as users paste it; any other text as it is.
    ///
    /// The well-known part is after the issuer (OpenID Connect Discovery, 4.1), or before its path (RFC 8414, 3.1).
    public static func identifier(fromDocumentAddress address: String) -> String {
        for name in ["openid-configuration", "oauth-authorization-server"] {
            let mark = "/.well-known/\(name)"
            let parts = address.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].isEmpty || parts[1].hasPrefix("/") else { continue }
            return String(parts[0] + (parts[1] == "/" ? "" : parts[1]))
        }
        return address
    }

    /// Returns the same issuer with another profile.
    public func with(_ profile: ProviderProfile) -> Issuer {
        var issuer = self
        issuer.profile = profile
        return issuer
    }

    /// Returns the same issuer as one that only an API's metadata named.
    package func namedByResource() -> Issuer {
        var issuer = self
        issuer.isNamedByResource = true
        return issuer
    }

    /// Returns the issuer with the identifier of one tenant.
    func named(_ identifier: String) throws(BaseURLError) -> Issuer {
        var issuer = self
        issuer.baseURL = try BaseURL(identifier, insecureHTTP: insecureHTTP)
        issuer.identifier = identifier
        return issuer
    }

    /// Returns whether a text equals the identifier byte for byte, which `==` on strings doesn't tell.
    func isNamed(_ text: String) -> Bool { text.utf8.elementsEqual(identifier.utf8) }

    public var description: String { identifier }
}
