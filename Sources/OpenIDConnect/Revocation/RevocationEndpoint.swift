import APIClient
public import AuthCore

extension OpenIDProvider {
    /// Whether tokens can be taken back.
    public var takesTokensBack: Bool { metadata.optional.revocation != nil }

    /// Takes a refresh token back, and with it what was given for it.
    ///
    /// A token that the provider does not know any more counts as taken back.
    ///
    /// - Parameter token: The token. Secret.
    /// - Throws: ``RevocationError``; `CancellationError`.
    ///
    /// Wire: `token_type_hint=refresh_token`. [RFC 7009, 2.1](https://www.rfc-editor.org/rfc/rfc7009#section-2.1).
    public func revoke(_ token: RefreshToken) async throws {
        try await revoke(token.unredacted, hint: "refresh_token")
    }

    /// Takes an access token back.
    ///
    /// - Parameter token: The token. Secret.
    /// - Throws: ``RevocationError``; `CancellationError`.
    ///
    /// Wire: `token_type_hint=access_token`. [RFC 7009, 2.1](https://www.rfc-editor.org/rfc/rfc7009#section-2.1).
    public func revoke(_ token: AccessToken) async throws {
        try await revoke(token.unredacted, hint: "access_token")
    }

    /// The client, authenticating as this endpoint wants it: some take a secret in one way here and in another there.
    private var revokingClient: OpenIDClient {
        guard let methods = metadata.abilities.revocationAuthenticationMethods,
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
        guard let endpoint = metadata.optional.revocation else { throw RevocationError(.notOffered) }
        let credentials = revokingClient.credentials
        let form = [("token", token), ("token_type_hint", hint)] + credentials.form
        let answer: ProviderAnswer
        do {
            answer = try await ProviderClient(settings: settings).post(form, to: endpoint, credentials.fields)
        } catch let error as APIError {
            throw RevocationError(.unreachable, underlying: error)
        }
        // RFC 7009, 2.2: 200, whatever the token was. Its body means nothing.
        guard !answer.isSuccess else { return }
        // RFC 7009, 2.2.1: after a 503 the token still exists, and trying again is right.
        let isPassing = answer.status == 408 || answer.status == 429 || answer.status >= 500
        // Without a code it is not the provider that answers, but something that stands before it.
        guard !isPassing, let refusal = OAuthRefusal(answer, hiding: [token] + client.secrets(in: [])) else {
            throw RevocationError(.serverFailed)
        }
        throw RevocationError(.refused, oauthCode: refusal.code)
    }
}
