public import APIClient
public import AuthCore

/// Where a session signs in and refreshes.
public struct SessionBackend: Sendable, Equatable {
    /// Which of the first-party contracts a backend speaks.
    public enum Contract: String, Sendable, Hashable {
        /// One long-lived token that is exchanged for a new one.
        case sessionToken
        /// An access token that lives for minutes, and a refresh token that rotates.
        case tokenPair
    }

    /// Where the backend lives.
    public let baseURL: BaseURL
    /// Which contract it speaks.
    public let contract: Contract
    /// The app's API key, where it was given one.
    ///
    /// Secret.
    public let apiKey: APIKey?

    /// An app's own backend.
    ///
    /// - Parameters:
    ///   - baseURL: Where it lives.
    ///   - contract: Which contract it speaks.
    ///   - apiKey: The app's API key. Secret.
    /// - Returns: The backend.
    public static func firstParty(baseURL: BaseURL, contract: Contract, apiKey: APIKey? = nil) -> SessionBackend {
        SessionBackend(baseURL: baseURL, contract: contract, apiKey: apiKey)
    }

    /// Whether tokens of one are for the other: same address, same contract, whatever the API key is.
    func isSame(as other: SessionBackend) -> Bool {
        baseURL == other.baseURL && contract == other.contract
    }
}
