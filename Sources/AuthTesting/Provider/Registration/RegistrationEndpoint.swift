// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 7591](https://www.rfc-editor.org/rfc/rfc7591).
extension ProviderState {
    /// Creates a client from the metadata in the request.
    mutating func registration(_ exchange: Exchange) throws(OAuthError) -> EndpointResponse {
        guard exchange.request.method == .post, exchange.request.hasContentType("application/json"),
            let metadata = try? JSONValue.object(in: exchange.request.body)
        else { throw Self.invalidMetadata("The body is not a JSON object.") }
        let redirectURIs = metadata["redirect_uris"]?.array?.compactMap(\.string) ?? []
        let grantTypes = try Self.strings(metadata, "grant_types") ?? [GrantType.authorizationCode]
        guard Set(grantTypes).isSubset(of: GrantType.all) else {
            throw Self.invalidMetadata("A grant type is unknown.")
        }
        guard !redirectURIs.isEmpty || !grantTypes.contains(GrantType.authorizationCode),
            redirectURIs.allSatisfy(Self.isRedirectURI)
        else { throw OAuthError("invalid_redirect_uri", "A redirect URI is missing or invalid.") }
        // RFC 7591, 2: the default if the member is missing.
        let method = metadata["token_endpoint_auth_method"].map(\.string) ?? "client_secret_basic"
        guard let authentication = method.flatMap({ InProcessProvider.Client.Authentication(rawValue: $0) }) else {
            throw Self.invalidMetadata("The authentication method is unknown.")
        }
        guard try Self.strings(metadata, "response_types") ?? ["code"] == ["code"] else {
            throw Self.invalidMetadata("Only the response type code is supported.")
        }
        var client = try makeClient(authentication, redirectURIs, metadata)
        client.grantTypes = Set(grantTypes)
        client.postLogoutRedirectURIs = try Self.strings(metadata, "post_logout_redirect_uris") ?? []
        client.idTokenAlgorithm = try algorithm(metadata["id_token_signed_response_alg"])
        client.userInfoAlgorithm = try algorithm(metadata["userinfo_signed_response_alg"])
        client.requiresDPoP = metadata["dpop_bound_access_tokens"]?.boolean ?? false
        clients[client.id] = client
        return EndpointResponse(members(of: client, grantTypes, metadata, exchange), status: 201)
    }

    private mutating func makeClient(
        _ authentication: InProcessProvider.Client.Authentication,
        _ redirectURIs: [String],
        _ metadata: [String: JSONValue]
    ) throws(OAuthError) -> InProcessProvider.Client {
        let id = "client-\(Hexadecimal.encode(RandomBytes.make(8)))"
        guard authentication != .none else { return .public(id: id, redirectURIs: redirectURIs) }
        if authentication == .privateKeyJWT {
            return .confidential(id: id, publicKey: try Self.publicKey(metadata), redirectURIs: redirectURIs)
        }
        return .confidential(
            id: id,
            secret: makeSecret(),
            authentication: authentication,
            redirectURIs: redirectURIs
        )
    }

    /// Returns the one P-256 key of the client's key set, in PEM: RFC 7517, 5; RFC 7518, 6.2.
    private static func publicKey(_ metadata: [String: JSONValue]) throws(OAuthError) -> String {
        guard let keys = metadata["jwks"]?.object?["keys"]?.array, keys.count == 1, let key = keys[0].object,
            key["kty"]?.string == "EC", key["crv"]?.string == "P-256", key["d"] == nil,
            let x = key["x"]?.string.flatMap({ Base64URL.decode($0.utf8) }),
            let y = key["y"]?.string.flatMap({ Base64URL.decode($0.utf8) }),
            metadata["token_endpoint_auth_signing_alg"]?.string ?? "ES256" == "ES256",
            let publicKey = try? P256.Signing.PublicKey(rawRepresentation: x + y)
        else { throw invalidMetadata("The client's key is not a public P-256 key.") }
        return publicKey.pemRepresentation
    }

    /// Returns all registered metadata, as RFC 7591, 3.2.1 requires.
    private func members(
        of client: InProcessProvider.Client,
        _ grantTypes: [String],
        _ metadata: [String: JSONValue],
        _ exchange: Exchange
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "client_id": .string(client.id),
            "client_id_issued_at": .numericDate(exchange.date),
            "redirect_uris": .strings(client.redirectURIs),
            "post_logout_redirect_uris": .strings(client.postLogoutRedirectURIs),
            "grant_types": .strings(grantTypes),
            "response_types": .strings(["code"]),
            "token_endpoint_auth_method": .string(client.authentication.rawValue),
            "dpop_bound_access_tokens": .boolean(client.requiresDPoP),
        ]
        members["client_name"] = metadata["client_name"]
        members["application_type"] = metadata["application_type"]
        members["token_endpoint_auth_signing_alg"] = metadata["token_endpoint_auth_signing_alg"]
        members["jwks"] = metadata["jwks"]
        members["id_token_signed_response_alg"] = (client.idTokenAlgorithm?.rawValue).map { .string($0) }
        members["userinfo_signed_response_alg"] = (client.userInfoAlgorithm?.rawValue).map { .string($0) }
        if let secret = client.secret {
            members["client_secret"] = .string(secret)
            members["client_secret_expires_at"] = .integer(0)
        }
        return members
    }

    private func algorithm(_ value: JSONValue?) throws(OAuthError) -> InProcessProvider.SigningAlgorithm? {
        guard let value else { return nil }
        guard let algorithm = value.string.flatMap({ InProcessProvider.SigningAlgorithm(rawValue: $0) }),
            keys.algorithms.contains(algorithm.rawValue)
        else { throw Self.invalidMetadata("There is no key for the algorithm.") }
        return algorithm
    }

    /// Whether a redirect URI is allowed by RFC 8252, 7: https, a loopback address, or the app's own scheme.
    private static func isRedirectURI(_ uri: String) -> Bool {
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard scheme.count < uri.count, !scheme.isEmpty, !uri.contains("#") else { return false }
        return scheme == "http" ? LoopbackURI(uri) != nil : !["javascript", "data", "file"].contains(scheme)
    }

    private static func strings(_ metadata: [String: JSONValue], _ name: String) throws(OAuthError) -> [String]? {
        guard let value = metadata[name] else { return nil }
        guard let strings = value.array?.compactMap(\.string), strings.count == value.array?.count else {
            throw invalidMetadata("The member \(name) is not a list of strings.")
        }
        return strings
    }

    private static func invalidMetadata(_ description: String) -> OAuthError {
        OAuthError("invalid_client_metadata", description)
    }
}
