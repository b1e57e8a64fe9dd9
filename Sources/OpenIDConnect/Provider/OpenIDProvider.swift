// SPDX-License-Identifier: Apache-2.0

package import APIClient
public import AuthCore

/// An OpenID provider, or an OAuth 2.0 server, and the app's client at it: everything that signing users in needs.
///
/// Copies share the fetched keys and the DPoP nonces. Every call throws ``OpenIDError`` or `CancellationError`; if the
/// task is cancelled, it ends at once.
public struct OpenIDProvider: Sendable {
    /// The provider's metadata.
    public let metadata: ProviderMetadata
    /// The app as a client of the provider.
    public let client: OpenIDClient
    /// The settings of the requests.
    public let settings: ProviderSettings
    /// The endpoint that names the user in place of an ID token; nil for an OpenID provider, and if none does.
    public let userEndpoint: OAuthUserEndpoint?
    let keys: RemoteJWKSet
    package let proofs: DPoPProofFactory

    /// Creates an OpenID provider from its metadata.
    ///
    /// For a server without OpenID Connect, use ``oauth(metadata:client:userEndpoint:settings:)``.
    public init(metadata: ProviderMetadata, client: OpenIDClient, settings: ProviderSettings = ProviderSettings()) {
        var metadata = metadata
        metadata.issuesIDTokens = true
        self.init(metadata: metadata, client: client, settings: settings, userEndpoint: nil)
    }

    package init(
        metadata: ProviderMetadata,
        client: OpenIDClient,
        settings: ProviderSettings,
        userEndpoint: OAuthUserEndpoint?
    ) {
        self.client = client
        self.userEndpoint = userEndpoint
        self.settings = settings
        self.metadata = metadata
        keys = RemoteJWKSet(metadata.jwksURI, client: ProviderClient(settings: settings))
        proofs = DPoPProofFactory(now: settings.now)
    }

    /// Creates a provider from the metadata that it publishes.
    public static func discover(
        issuer: Issuer,
        client: OpenIDClient,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> OpenIDProvider {
        let metadata = try await ProviderMetadata.discover(issuer: issuer, settings: settings)
        return OpenIDProvider(metadata: metadata, client: client, settings: settings)
    }

    /// Returns the same provider and client with other settings.
    package func with(_ settings: ProviderSettings) -> OpenIDProvider {
        OpenIDProvider(metadata: metadata, client: client, settings: settings, userEndpoint: userEndpoint)
    }

    /// Returns the same provider with another client, such as the same one with its private key.
    public func with(_ client: OpenIDClient) -> OpenIDProvider {
        OpenIDProvider(metadata: metadata, client: client, settings: settings, userEndpoint: userEndpoint)
    }

    /// The known behavior of the provider.
    public var profile: ProviderProfile { metadata.issuer.profile }

    var userInfoSignatureVerifier: SignatureVerifier {
        signatureVerifier(of: metadata.userInfoSigningAlgValuesSupported)
    }

    /// Returns a check with the app's algorithms, limited to those that the provider declares.
    private func signatureVerifier(of named: [String]?) -> SignatureVerifier {
        let allowed = settings.signatureAlgorithms.filter { named?.contains($0.description) ?? true }
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
    public var description: String { "OpenIDProvider(\(metadata.issuer))" }
}
