// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OpenIDClient {
    /// Registers an app as a client of a provider.
    ///
    /// Sent once. Store the client: every call registers another one.
    ///
    /// - Parameters:
    ///   - key: The private key with which the client will authenticate, from PEM; nil for a method of the provider's
    ///     choice. Only its public half is sent. Secret.
    ///   - initialAccessToken: The token that permits the registration, if the provider requires one. Secret.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    ///
    /// [RFC 7591, 3](https://www.rfc-editor.org/rfc/rfc7591#section-3).
    public static func register(
        _ metadata: ClientMetadata,
        at provider: ProviderMetadata,
        key: ClientAssertionKey? = nil,
        initialAccessToken: AccessToken? = nil,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> OpenIDClient {
        guard let endpoint = provider.registrationEndpoint else { throw OpenIDError(.registration, .unsupported) }
        var fields = HTTPFields()
        if let initialAccessToken { fields[.authorization] = "Bearer \(initialAccessToken.unredacted)" }
        do {
            let members = try metadata.members(at: provider, key: key)
            let body = Array(try JSONEncoder().encode(members))
            let response = try await ProviderClient(settings: settings).post(json: body, to: endpoint, fields)
            guard response.isSuccess else { throw OpenIDError(.registration, response, settings) }
            return try OpenIDClient(registration: response, key: key)
        } catch let error as APIError {
            throw OpenIDError(.registration, error)
        }
    }

    /// Creates the client from the response, which may differ from the request (RFC 7591, 3.2.1).
    private init(registration response: ProviderResponse, key: ClientAssertionKey?) throws(OpenIDError) {
        do {
            guard let document = ProviderDocument(response.body), let id = try document.text("client_id"),
                (1...4_096).contains(id.utf8.count), id.utf8.allSatisfy(TokenCharacters.isVisible)
            else { throw OpenIDError(.registration, .malformedResponse) }
            let secret = try document.text("client_secret").map { try ClientSecret($0) }
            // RFC 7591, 2: client_secret_basic is the default. A response without a secret can only mean a public
            // client.
            let method =
                try document.text("token_endpoint_auth_method") ?? (secret == nil ? "none" : "client_secret_basic")
            if let key {
                // A weaker method than the requested one is not accepted.
                guard method == "private_key_jwt" else { throw OpenIDError(.registration, .malformedResponse) }
                self = .confidential(id: id, key: key)
                return
            }
            switch (method, secret) {
            case ("none", _): self = .public(id: id)
            case ("client_secret_basic", let secret?): self = .confidential(id: id, secret: secret, method: .basic)
            case ("client_secret_post", let secret?): self = .confidential(id: id, secret: secret, method: .post)
            default: throw OpenIDError(.registration, .malformedResponse)
            }
        } catch let error as OpenIDError {
            throw error
        } catch {
            throw OpenIDError(.registration, .malformedResponse, underlying: error)
        }
    }
}

extension ClientMetadata {
    private var grantTypes: [String] {
        let usual = ["authorization_code", "refresh_token"]
        return usesDeviceAuthorization ? usual + ["urn:ietf:params:oauth:grant-type:device_code"] : usual
    }

    /// The name of the authentication method that the app registers for, as far as the provider announces it.
    private func authenticationMethod(at provider: ProviderMetadata) -> String {
        // OpenID Connect Discovery, 3: if omitted, the default is client_secret_basic.
        let offered = provider.tokenEndpointAuthMethodsSupported ?? [ClientAuthentication.Method.basic.rawValue]
        let wanted = [
            isPublic ? ClientAuthentication.none.name : nil, ClientAuthentication.Method.basic.rawValue,
            ClientAuthentication.Method.post.rawValue,
        ]
        return wanted.compactMap(\.self).first(where: offered.contains) ?? ClientAuthentication.none.name
    }

    /// Returns the members of the registration request.
    ///
    /// - Throws: ``OpenIDError``.
    fileprivate func members(
        at provider: ProviderMetadata,
        key: ClientAssertionKey?
    ) throws(OpenIDError) -> [String: JSONValue] {
        let scope = scope ?? AuthorizationParameters.usualScope(of: provider).description
        var members: [String: JSONValue] = [
            "redirect_uris": .array(redirectURIs.map { .string($0) }),
            // OpenID Connect Registration, 2; RFC 8252, 8.4.
            "application_type": .string("native"),
            "response_types": .array([.string("code")]),
            "grant_types": .array(grantTypes.map { .string($0) }),
            "token_endpoint_auth_method": .string(authenticationMethod(at: provider)),
        ]
        if let key {
            guard let publicKey = key.publicJWK else { throw OpenIDError(.clientAssertion, .unreadableKey) }
            members["token_endpoint_auth_method"] = .string(ClientAuthentication.privateKeyJWT(key).name)
            // OpenID Connect Registration, 2.
            members["token_endpoint_auth_signing_alg"] = .string(key.algorithm.description)
            // RFC 7591, 2; RFC 7517, 5.
            members["jwks"] = .object(["keys": .array([.object(publicKey)])])
        }
        if let name { members["client_name"] = .string(name) }
        if !scope.isEmpty { members["scope"] = .string(scope) }
        if !postLogoutRedirectURIs.isEmpty {
            members["post_logout_redirect_uris"] = .array(postLogoutRedirectURIs.map { .string($0) })
        }
        return members
    }
}
