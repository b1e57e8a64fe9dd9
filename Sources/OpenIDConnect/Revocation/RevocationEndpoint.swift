// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthCore

extension OpenIDProvider {
    /// Whether the provider can revoke tokens.
    public var supportsRevocation: Bool { metadata.revocationEndpoint != nil }

    /// Revokes a refresh token, and with it the access tokens of its grant.
    ///
    /// A token that is unknown to the provider counts as revoked.
    ///
    /// - Parameter token: The token. Secret.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    ///
    /// Wire: `token_type_hint=refresh_token`. [RFC 7009, 2.1](https://www.rfc-editor.org/rfc/rfc7009#section-2.1).
    public func revoke(_ token: RefreshToken) async throws {
        try await revoke(token.unredacted, hint: "refresh_token")
    }

    /// Revokes an access token.
    ///
    /// - Parameter token: The token. Secret.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    ///
    /// Wire: `token_type_hint=access_token`. [RFC 7009, 2.1](https://www.rfc-editor.org/rfc/rfc7009#section-2.1).
    public func revoke(_ token: AccessToken) async throws {
        try await revoke(token.unredacted, hint: "access_token")
    }

    /// The client with an authentication method that the revocation endpoint accepts.
    ///
    /// Some providers accept a secret in different ways at the token endpoint and here.
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
        let response: ProviderResponse
        do {
            response = try await post(form, to: endpoint, as: revokingClient)
        } catch let error as APIError {
            throw OpenIDError(.revocation, error)
        }
        // RFC 7009, 2.2: status 200, even for an invalid token. The body has no meaning.
        guard response.isSuccess else { throw OpenIDError(.revocation, response, settings) }
    }
}
