// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
public import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    /// - Parameter apiKey: The app's API key. Secret. A sign-in stores it. A restored session sends this one instead of
    ///   the stored one.
    public static func firstParty(baseURL: BaseURL, contract: Contract, apiKey: APIKey? = nil) -> SessionBackend {
        let client = FirstPartyClient(baseURL: baseURL, apiKey: apiKey, over: AuthorityConnection())
        return switch contract {
        case .sessionToken: SessionBackend(SessionTokenAuthority(client: client))
        case .tokenPair: SessionBackend(TokenPairAuthority(client: client))
        }
    }

    /// The contract of an app's own backend; nil for another authority.
    public var contract: Contract? { (authority as? any FirstPartyAuthority)?.contract }

    /// The app's API key at its own backend, if it was given one.
    ///
    /// Secret.
    public var apiKey: APIKey? { (authority as? any FirstPartyAuthority)?.client.apiKey }
}

extension AuthorityKind {
    /// The kind of an app's own backend.
    ///
    /// A stored session sends the API key of its sign-in. An app with a newer key passes it to
    /// `SessionBackend.firstParty(baseURL:contract:apiKey:)`, which names the backend that the key is for.
    public static let firstParty = AuthorityKind { record in
        guard let contract = SessionBackend.Contract(rawValue: record.id.kind) else { return nil }
        let http: BaseURL.InsecureHTTP = record.id.server.hasPrefix("http:") ? .insecurelyAllowHTTP : .refuse
        do {
            return SessionBackend.firstParty(
                baseURL: try BaseURL(record.id.server, insecureHTTP: http),
                contract: contract,
                apiKey: try record.details.map { try APIKey(String(decoding: $0, as: UTF8.self)) }
            ).authority
        } catch {
            throw SessionRecordError(.damaged)
        }
    }
}

/// An app's own backend, with either contract.
protocol FirstPartyAuthority: TokenAuthority {
    var contract: SessionBackend.Contract { get }
    var client: FirstPartyClient { get }

    init(client: FirstPartyClient)
}

extension FirstPartyAuthority {
    var baseURL: BaseURL { client.baseURL }

    /// The contract, the server, and the API key.
    var record: AuthorityRecord {
        AuthorityRecord(
            id: AuthorityID(kind: contract.rawValue, server: baseURL.description),
            details: client.apiKey.map { Data($0.unredacted.utf8) }
        )
    }

    func connected(over connection: AuthorityConnection) -> Self {
        Self(client: FirstPartyClient(baseURL: client.baseURL, apiKey: client.apiKey, over: connection))
    }

    func canRefresh(_ tokens: TokenSet) -> Bool { true }
}

/// The result of a sign-in.
struct SignedIn: Sendable {
    let issued: IssuedTokens
    var user: SessionUser?
}
