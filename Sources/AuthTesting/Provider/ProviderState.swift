import APIClient
import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// All that a provider knows.
///
/// Each endpoint is an extension of it, named as its specification names it.
struct ProviderState: Sendable {
    let address: IssuerAddress
    var configuration: InProcessProvider.Configuration
    var clients: [String: InProcessProvider.Client] = [:]
    var keys: KeySet
    var codes: [String: AuthorizationCode] = [:]
    var pushedRequests: [String: PushedRequest] = [:]
    var devices: [String: DeviceAuthorization] = [:]
    var families: [RefreshTokenFamily] = []
    /// Which family a refresh token is of, by the token; those that were replaced too.
    var refreshTokens: [String: Int] = [:]
    var accessTokens: [String: IssuedAccessToken] = [:]
    /// Whose an ID token is, by the token.
    var idTokens: [String: String] = [:]
    var dpop = DPoPServer()
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

    mutating func add(_ client: InProcessProvider.Client) {
        clients[client.id] = client
        if let secret = client.secret { secrets.append(secret) }
    }

    /// A new value that nobody can guess, remembered for tests that look for leaks.
    mutating func makeSecret() -> String {
        let secret = Base64URL.encode(RandomBytes.make(32))
        secrets.append(secret)
        return secret
    }
}
