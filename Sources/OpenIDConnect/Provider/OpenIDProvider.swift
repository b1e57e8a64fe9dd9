import APIClient

/// An OpenID provider, and the app as it knows it: all that is needed to sign people in there.
///
/// Copies share the keys that were fetched and the nonces that were told.
/// [OpenID Connect Core 1.0](https://openid.net/specs/openid-connect-core-1_0.html).
public struct OpenIDProvider: Sendable {
    /// What the provider says of itself.
    public let metadata: ProviderMetadata
    /// The app as the provider knows it.
    public let client: OpenIDClient
    /// How it is talked to.
    public let settings: ProviderSettings
    let keys: ProviderKeys
    package let proofs: DPoPProofs

    /// Makes a provider of what is known of it.
    ///
    /// - Parameters:
    ///   - metadata: What the provider says of itself.
    ///   - client: The app as the provider knows it.
    ///   - settings: How it is talked to.
    public init(metadata: ProviderMetadata, client: OpenIDClient, settings: ProviderSettings = ProviderSettings()) {
        self.metadata = metadata
        self.client = client
        var settings = settings
        // One for all its requests, and with it one pool of connections.
        settings.transport = settings.transport ?? DefaultTransport.shared
        self.settings = settings
        keys = ProviderKeys(metadata.keySetURL, client: ProviderClient(settings: settings))
        proofs = DPoPProofs(now: settings.now)
    }

    /// Asks a provider for its metadata.
    ///
    /// - Parameters:
    ///   - issuer: The provider.
    ///   - client: The app as the provider knows it.
    ///   - settings: How it is talked to.
    ///   - cache: What was asked before; nil for none.
    /// - Returns: The provider.
    /// - Throws: ``DiscoveryError``; `CancellationError`.
    public static func discover(
        issuer: Issuer,
        client: OpenIDClient,
        settings: ProviderSettings = ProviderSettings(),
        cache: DiscoveryCache? = nil
    ) async throws -> OpenIDProvider {
        let metadata = try await ProviderMetadata.discover(issuer: issuer, settings: settings, cache: cache)
        return OpenIDProvider(metadata: metadata, client: client, settings: settings)
    }

    /// Whether tokens of one are for the other: same issuer, same client, wherever the endpoints are.
    package func isSame(as other: OpenIDProvider) -> Bool {
        metadata.issuer.isNamed(other.metadata.issuer.identifier)
            && client.id.utf8.elementsEqual(other.client.id.utf8)
    }

    /// What userinfo answers are checked with that are signed.
    var userInfoSignatureCheck: SignatureCheck { signatureCheck(of: metadata.abilities.userInfoAlgorithms) }

    /// What the provider says that it signs with narrows what the app allows.
    private func signatureCheck(of named: [String]?) -> SignatureCheck {
        let allowed = settings.signatureAlgorithms.filter { named?.contains($0.description) ?? true }
        return SignatureCheck(keys: keys, algorithms: allowed)
    }

    var idTokenValidator: IDTokenValidator {
        IDTokenValidator(
            issuer: metadata.issuer,
            clientID: client.id,
            signature: signatureCheck(of: metadata.abilities.idTokenAlgorithms),
            clockSkew: settings.clockSkew,
            now: settings.now
        )
    }
}

/// Printed, a provider names its issuer alone: the client may have a secret.
extension OpenIDProvider: CustomStringConvertible, CustomReflectable {
    /// The issuer.
    public var description: String { "OpenIDProvider(\(metadata.issuer))" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
