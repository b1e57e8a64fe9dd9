// SPDX-License-Identifier: Apache-2.0

package import APIClient
public import AuthCore

/// An OpenID provider and the app's client at it: everything that signing users in needs.
///
/// Copies share the fetched keys and the DPoP nonces.
/// [OpenID Connect Core 1.0](https://openid.net/specs/openid-connect-core-1_0.html).
public struct OpenIDProvider: Sendable {
    /// The provider's metadata, as this client uses them.
    ///
    /// A client that authenticates with a TLS certificate uses the provider's aliases for it as its endpoints
    /// ([RFC 8705, 5](https://www.rfc-editor.org/rfc/rfc8705#section-5)). Under ``ClientPolicy/fapi2`` pushed requests
    /// and `iss` are required, whatever the provider announces.
    public let metadata: ProviderMetadata
    /// The metadata before the policy and the aliases are applied, as a stored session keeps them.
    package let publishedMetadata: ProviderMetadata
    /// The app as a client of the provider.
    public let client: OpenIDClient
    /// The settings of the requests.
    public let settings: ProviderSettings
    /// The endpoint that names the user in place of an ID token; nil for an OpenID provider (``OAuthProvider``).
    package let userEndpoint: OAuthUserEndpoint?
    let keys: RemoteJWKSet
    package let proofs: DPoPProofFactory

    /// Creates a provider from its metadata.
    ///
    /// - Parameters:
    ///   - metadata: The provider's metadata.
    ///   - client: The app as a client of the provider.
    ///   - settings: The settings of the requests.
    public init(metadata: ProviderMetadata, client: OpenIDClient, settings: ProviderSettings = ProviderSettings()) {
        var metadata = metadata
        metadata.issuesIDTokens = true
        self.init(metadata: metadata, client: client, settings: settings, userEndpoint: nil)
    }

    /// Creates the shared mechanism of an OpenID provider or of an ``OAuthProvider``.
    package init(
        metadata: ProviderMetadata,
        client: OpenIDClient,
        settings: ProviderSettings,
        userEndpoint: OAuthUserEndpoint?
    ) {
        self.client = client
        self.userEndpoint = userEndpoint
        self.settings = settings
        publishedMetadata = metadata
        let usual = settings.policy.applied(to: metadata)
        if case .tls = client.authentication {
            self.metadata = usual.withMutualTLSEndpoints
        } else {
            self.metadata = usual
        }
        keys = RemoteJWKSet(metadata.jwksURI, client: ProviderClient(settings: settings))
        proofs = DPoPProofFactory(now: settings.now)
    }

    /// Creates a provider from the metadata that it publishes.
    ///
    /// - Parameters:
    ///   - issuer: The provider's issuer.
    ///   - client: The app as a client of the provider.
    ///   - settings: The settings of the requests.
    ///   - cache: The cache to use; nil to fetch in any case.
    /// - Returns: The provider.
    /// - Throws: ``DiscoveryError``; ``ClientPolicyError`` (`insecureHTTP`); `CancellationError`.
    public static func discover(
        issuer: Issuer,
        client: OpenIDClient,
        settings: ProviderSettings = ProviderSettings(),
        cache: DiscoveryCache? = nil
    ) async throws -> OpenIDProvider {
        let metadata = try await ProviderMetadata.discover(issuer: issuer, settings: settings, cache: cache)
        return OpenIDProvider(metadata: metadata, client: client, settings: settings)
    }

    /// Returns the same provider and client with other settings, under the same policy and registration.
    package func with(_ settings: ProviderSettings) -> OpenIDProvider {
        var settings = settings
        settings.policy = self.settings.policy
        settings.certificateBoundTokens = self.settings.certificateBoundTokens
        return OpenIDProvider(
            metadata: publishedMetadata,
            client: client,
            settings: settings,
            userEndpoint: userEndpoint
        )
    }

    /// The known behavior of the provider.
    public var profile: ProviderProfile { metadata.issuer.profile }

    /// Returns whether both have the same issuer and the same client, so that tokens of one belong to the other, too.
    ///
    /// Without OpenID Connect the endpoints may have been given by hand, so the token endpoint must be the same, too. Its
    /// alias for clients with a TLS certificate may change.
    package func isSame(as other: OpenIDProvider) -> Bool {
        metadata.issuer.isNamed(other.metadata.issuer.identifier)
            && client.id.utf8.elementsEqual(other.client.id.utf8)
            && metadata.issuesIDTokens == other.metadata.issuesIDTokens
            && (metadata.issuesIDTokens || publishedMetadata.tokenEndpoint == other.publishedMetadata.tokenEndpoint)
    }

    /// The check of signed userinfo responses.
    var userInfoSignatureVerifier: SignatureVerifier {
        signatureVerifier(of: metadata.userInfoSigningAlgValuesSupported)
    }

    /// Returns a check with the app's algorithms, limited to those that the provider declares and the policy allows.
    private func signatureVerifier(of named: [String]?) -> SignatureVerifier {
        let allowed = settings.signatureAlgorithms.filter {
            settings.policy.allows($0) && named?.contains($0.description) ?? true
        }
        return SignatureVerifier(keys: keys, issuer: metadata.issuer, algorithms: allowed)
    }

    var idTokenValidator: IDTokenValidator {
        IDTokenValidator(
            issuer: metadata.issuer,
            clientID: client.id,
            signature: signatureVerifier(of: metadata.idTokenSigningAlgValuesSupported),
            clockSkew: settings.clockSkew,
            now: settings.now
        )
    }
}

/// Shows only the issuer if a provider is printed or dumped, because the client may have a secret.
extension OpenIDProvider: Redacted {
    /// The type and the issuer.
    public var description: String { "OpenIDProvider(\(metadata.issuer))" }
}
