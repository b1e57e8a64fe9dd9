// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore

extension SessionBackend {
    /// The contract of a first-party backend.
    public enum Contract: String, Sendable, Hashable {
        /// One long-lived token that is exchanged for a new one.
        case sessionToken
        /// An access token that lives for minutes, and a refresh token that rotates.
        case tokenPair
    }

    /// Returns an app's own backend.
    ///
    /// - Parameters:
    ///   - baseURL: The backend's address.
    ///   - contract: The backend's contract.
    ///   - apiKey: The app's API key. Secret. A sign-in stores it. A restored session sends this one in place of the
    ///     stored one.
    /// - Returns: The backend.
    public static func firstParty(baseURL: BaseURL, contract: Contract, apiKey: APIKey? = nil) -> SessionBackend {
        switch contract {
        case .sessionToken: SessionBackend(SessionTokenAuthority(baseURL: baseURL, apiKey: apiKey))
        case .tokenPair: SessionBackend(TokenPairAuthority(baseURL: baseURL, apiKey: apiKey))
        }
    }

    /// The contract of an app's own backend; nil for another authority.
    public var contract: Contract? { (authority as? any FirstPartyAuthority)?.contract }

    /// The app's API key at its own backend, if it was given one.
    ///
    /// Secret.
    public var apiKey: APIKey? { (authority as? any FirstPartyAuthority)?.client.apiKey }
}

extension SessionBackend: Equatable {
    /// Returns whether tokens of one backend are valid at the other, and the API keys are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.authority.issued(right.authority.record) && left.apiKey == right.apiKey
    }
}

extension AuthorityKind {
    /// The kind of an app's own backend.
    ///
    /// A stored session sends the API key of its sign-in. An app with a newer key passes it to
    /// ``SessionBackend/firstParty(baseURL:contract:apiKey:)``, which names the backend that the key is for.
    public static let firstParty = AuthorityKind(
        { record in
            let known = try FirstPartyFormat(record)
            return SessionBackend.firstParty(baseURL: known.baseURL, contract: known.contract, apiKey: known.apiKey)
                .authority
        },
        removingOverdueSignIns: { store, now, logger in
            try await PendingAppleSignIn.removeIfOver(in: store, at: now, logger)
        }
    )
}
