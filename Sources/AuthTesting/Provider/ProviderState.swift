// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a provider.
///
/// Each endpoint is an extension of it, named as in its specification.
struct ProviderState: Sendable {
    typealias Client = InProcessProvider.Client
    typealias Endpoint = InProcessProvider.Endpoint
    typealias SigningAlgorithm = InProcessProvider.SigningAlgorithm

    let address: IssuerAddress
    var configuration: InProcessProvider.Configuration
    var clients: [String: Client] = [:]
    var keys: KeySet
    var codes: [String: AuthorizationCode] = [:]
    var pushedRequests: [String: PushedRequest] = [:]
    var devices: [String: DeviceAuthorization] = [:]
    var families: [RefreshTokenFamily] = []
    /// The family of each refresh token, including replaced tokens.
    var refreshTokens: [String: Int] = [:]
    var accessTokens: [String: IssuedAccessToken] = [:]
    /// The client ID of each ID token.
    var idTokens: [String: String] = [:]
    /// The only DPoP nonce that is currently accepted.
    var dpopNonce = makeNonce()
    /// The accepted DPoP proofs, by key and `jti`.
    var dpopProofs: Set<String> = []
    /// The client assertions that were accepted, by client ID and `jti`.
    var assertions: Set<String> = []
    var faults = FaultQueue()
    var clockOffset = Duration.zero
    var requests: [InProcessProvider.Request] = []
    var secrets: [String] = []

    init(issuer: String, configuration: InProcessProvider.Configuration) {
        address = IssuerAddress(issuer)
        self.configuration = configuration
        keys = KeySet(configuration.signingAlgorithms)
        for client in configuration.clients { add(client) }
    }

    static func makeNonce() -> String { Base64URL.encode(RandomBytes.make(16)) }

    mutating func add(_ client: Client) {
        clients[client.id] = client
        if let secret = client.secret { secrets.append(secret) }
    }

    /// Returns a new value that can't be guessed, and records it for tests that search for leaks.
    mutating func makeSecret() -> String {
        let secret = Base64URL.encode(RandomBytes.make(32))
        secrets.append(secret)
        return secret
    }
}
