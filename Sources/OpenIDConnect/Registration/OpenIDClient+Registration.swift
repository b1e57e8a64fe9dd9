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
    /// Registers an app as a client of a provider; store the client: every call registers another one.
    ///
    /// The client will authenticate with the private key, from PEM, of which only the public half is sent; if nil, with
    /// a method of the provider's choice. The initial access token permits the registration, if the provider requires
    /// one.
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
        let body = Array(try JSONEncoder().encode(try metadata.members(at: provider, key: key)))
        let response = try await OpenIDError.Operation.registration.sending {
            try await ProviderClient(settings: settings).post(json: body, to: endpoint, fields)
        }
        guard response.isSuccess else { throw OpenIDError(.registration, response, settings) }
        return try OpenIDClient(registration: response, key: key)
    }

    /// Returns the public client whose ID is the https URL of its metadata, which the provider fetches.
    ///
    /// Prefer a client that the provider knows. Prefer this one to a registration. The document must list the redirect
    /// URI. Throws ``OpenIDError``: `unsupported` if the provider doesn't announce that it reads such documents;
    /// `invalidRequest` if the URL is not https, has no path, or has a user, fragment or dot segment.
    /// [Client ID Metadata Document, 3](https://datatracker.ietf.org/doc/html/draft-ietf-oauth-client-id-metadata-document).
    public static func metadataDocument(_ url: String, at provider: ProviderMetadata) throws(OpenIDError)
        -> OpenIDClient
    {
        let address = url.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard url.utf8.allSatisfy(TokenCharacters.isVisibleWithoutSpace), !url.contains("#"),
            let base = try? BaseURL(String(Substring(address))), base.scheme == "https", !base.pathPrefix.isEmpty
        else { throw OpenIDError(.registration, .invalidRequest) }
        guard provider.clientIDMetadataDocumentSupported else {
            throw OpenIDError(.registration, .clientIDMetadataDocumentUnsupported)
        }
        return .public(id: url)
    }

    /// Creates the client from the response, which may differ from the request (RFC 7591, 3.2.1).
    private init(registration response: ProviderResponse, key: ClientAssertionKey?) throws(OpenIDError) {
        do {
            guard let document = ProviderDocument(response.body), let id = try document.text("client_id"),
                (1...4_096).contains(id.utf8.count), id.utf8.allSatisfy(TokenCharacters.isVisible)
            else { throw OpenIDError(.registration, .malformedResponse) }
            let secret = try document.optionalText("client_secret").map { try ClientSecret($0) }
            // RFC 7591, 2: client_secret_basic is the default. A response without a secret can only mean a public
            // client.
            let usual = secret == nil ? "none" : "client_secret_basic"
            let method = try document.optionalText("token_endpoint_auth_method") ?? usual
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
        let secret = [ClientAuthentication.Method.basic.rawValue, ClientAuthentication.Method.post.rawValue]
        let wanted = (isPublic ? ["none"] : []) + secret
        return wanted.first(where: offered.contains) ?? "none"
    }

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

/// The metadata with which an app registers as a client (RFC 7591, 2).
public struct ClientMetadata: Sendable, Hashable {
    /// The app's name, which the provider shows to the user.
    public var name: String?
    /// The URIs that authorization responses are sent to.
    public var redirectURIs: [String]
    /// The URIs that the browser returns to after the session ended at the provider.
    public var postLogoutRedirectURIs: [String] = []
    /// The scopes that the app will request; nil for those of a sign-in for which the app names none.
    public var scope: String?
    /// Whether users also sign in with a code on another device (RFC 8628).
    public var usesDeviceAuthorization = false
    /// Whether the app can't keep a secret; true for every app that ships to users.
    ///
    /// A provider that doesn't announce the method `none` issues a secret all the same.
    public var isPublic = true

    /// Creates the metadata of an app.
    public init(name: String? = nil, redirectURIs: [String]) {
        self.name = name
        self.redirectURIs = redirectURIs
    }
}
