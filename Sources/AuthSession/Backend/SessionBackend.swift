public import APIClient
public import AuthCore
import Logging
public import OpenIDConnect

/// Where a session signs in and refreshes: an app's own backend, or an OpenID provider.
public struct SessionBackend: Sendable, Equatable {
    /// Which of the first-party contracts a backend speaks.
    public enum Contract: String, Sendable, Hashable {
        /// One long-lived token that is exchanged for a new one.
        case sessionToken
        /// An access token that lives for minutes, and a refresh token that rotates.
        case tokenPair
    }

    /// Where the backend lives; of a provider, its issuer.
    public let baseURL: BaseURL
    /// Which contract an app's own backend speaks; nil for a provider.
    public let contract: Contract?
    /// The app's API key, where it was given one.
    ///
    /// Secret.
    public let apiKey: APIKey?
    /// The provider; nil for an app's own backend.
    public let provider: OpenIDProvider?

    /// An app's own backend.
    ///
    /// - Parameters:
    ///   - baseURL: Where it lives.
    ///   - contract: Which contract it speaks.
    ///   - apiKey: The app's API key. Secret.
    /// - Returns: The backend.
    public static func firstParty(baseURL: BaseURL, contract: Contract, apiKey: APIKey? = nil) -> SessionBackend {
        SessionBackend(baseURL: baseURL, contract: contract, apiKey: apiKey, provider: nil)
    }

    /// An OpenID provider.
    ///
    /// - Parameter provider: The provider, and the app as it knows it.
    /// - Returns: The backend.
    public static func openID(_ provider: OpenIDProvider) -> SessionBackend {
        SessionBackend(baseURL: provider.metadata.issuer.baseURL, contract: nil, apiKey: nil, provider: provider)
    }

    /// The same with another API key, where one is given.
    func with(apiKey other: APIKey?) -> SessionBackend {
        guard let other, provider == nil else { return self }
        return SessionBackend(baseURL: baseURL, contract: contract, apiKey: other, provider: nil)
    }

    /// The same, its provider talked to as a session is told to.
    func talkedTo(
        over transport: (any Transport)?,
        timeout: Duration,
        clock: SessionClock,
        logger: Logger
    ) -> SessionBackend {
        guard let provider else { return self }
        var settings = provider.settings
        if let transport { settings.transport = transport }
        settings.timeout = timeout
        settings.now = clock.date
        settings.awake = clock.awake
        settings.logger = logger
        return .openID(OpenIDProvider(metadata: provider.metadata, client: provider.client, settings: settings))
    }

    /// Whether tokens of one are for the other: same address and contract, whatever the API key is; or the same issuer
    /// and client, wherever the endpoints are.
    func isSame(as other: SessionBackend) -> Bool {
        switch (provider, other.provider) {
        case (nil, nil): baseURL == other.baseURL && contract == other.contract
        case (let provider?, let other?): provider.isSame(as: other)
        default: false
        }
    }

    /// Equal where tokens of one are for the other, and the API keys are the same.
    public static func == (left: Self, right: Self) -> Bool { left.isSame(as: right) && left.apiKey == right.apiKey }
}
