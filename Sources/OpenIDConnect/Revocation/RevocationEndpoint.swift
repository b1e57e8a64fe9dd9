// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthCore

extension OpenIDProvider {
    /// Whether the provider can revoke tokens.
    public var supportsRevocation: Bool { metadata.revocationEndpoint != nil }

    /// Revokes a refresh token and its grant's access tokens; an unknown one counts as revoked (RFC 7009, 2).
    public func revoke(_ token: RefreshToken) async throws {
        try await revoke(token.unredacted, hint: "refresh_token")
    }

    /// Revokes an access token.
    public func revoke(_ token: AccessToken) async throws {
        try await revoke(token.unredacted, hint: "access_token")
    }

    /// The client with a method that the revocation endpoint accepts, which may differ from the token endpoint's.
    private var revokingClient: OpenIDClient {
        guard let methods = metadata.revocationEndpointAuthMethodsSupported,
            !methods.contains(client.authentication.name)
        else { return client }
        switch client.authentication {
        case .post(let secret) where methods.contains(ClientAuthentication.Method.basic.rawValue):
            return .confidential(id: client.id, secret: secret, method: .basic)
        case .basic(let secret) where methods.contains(ClientAuthentication.Method.post.rawValue):
            return .confidential(id: client.id, secret: secret, method: .post)
        default:
            return client
        }
    }

    private func revoke(_ token: String, hint: String) async throws {
        guard let endpoint = metadata.revocationEndpoint else { throw OpenIDError(.revocation, .unsupported) }
        let form = [("token", token), ("token_type_hint", hint)]
        let response = try await post(form, to: endpoint, for: .revocation, as: revokingClient)
        // RFC 7009, 2.2: status 200, even for an invalid token. The body has no meaning.
        guard response.isSuccess else { throw OpenIDError(.revocation, response, settings) }
    }
}
