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
    mutating func registration(_ exchange: Exchange) throws(EndpointError) -> EndpointResponse {
        guard exchange.request.method == .post, exchange.request.hasContentType("application/json"),
            let metadata = try? JSONValue.object(in: exchange.request.body)
        else { throw Self.invalidMetadata("The body is not a JSON object.") }
        let redirectURIs = metadata["redirect_uris"]?.array?.compactMap(\.string) ?? []
        let names = try Self.strings(metadata, "grant_types") ?? [GrantType.authorizationCode.rawValue]
        let grantTypes = names.compactMap { GrantType(rawValue: $0) }
        guard grantTypes.count == names.count else { throw Self.invalidMetadata("A grant type is unknown.") }
        guard !redirectURIs.isEmpty || !grantTypes.contains(.authorizationCode),
            redirectURIs.allSatisfy(Self.isRedirectURI)
        else { throw EndpointError("invalid_redirect_uri", "A redirect URI is missing or invalid.") }
        // RFC 7591, 2: the default if the member is missing.
        let method = metadata["token_endpoint_auth_method"].map(\.string) ?? "client_secret_basic"
        guard let authentication = method.flatMap({ Client.Authentication(rawValue: $0) }) else {
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
        return EndpointResponse(members(of: client, names, metadata, exchange), status: 201)
    }

    private mutating func makeClient(
        _ authentication: Client.Authentication,
        _ redirectURIs: [String],
        _ metadata: [String: JSONValue]
    ) throws(EndpointError) -> Client {
        let id = "client-\(Hexadecimal.encode(RandomBytes.make(8)))"
        switch authentication {
        case .none:
            return .public(id: id, redirectURIs: redirectURIs)
        case .privateKeyJWT:
            return .confidential(id: id, publicKey: try Self.publicKey(metadata), redirectURIs: redirectURIs)
        case .basic, .post:
            let secret = makeSecret()
            return .confidential(id: id, secret: secret, authentication: authentication, redirectURIs: redirectURIs)
        }
    }

    /// Returns the one P-256 key of the client's key set, in PEM: RFC 7517, 5; RFC 7518, 6.2.
    private static func publicKey(_ metadata: [String: JSONValue]) throws(EndpointError) -> String {
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
        of client: Client,
        _ grantTypes: [String],
        _ metadata: [String: JSONValue],
        _ exchange: Exchange
    ) -> [String: JSONValue] {
        let echoed: Set = ["client_name", "application_type", "token_endpoint_auth_signing_alg", "jwks"]
        var members = metadata.filter { echoed.contains($0.key) }
        members["client_id"] = .string(client.id)
        members["client_id_issued_at"] = .numericDate(exchange.date)
        members["redirect_uris"] = .strings(client.redirectURIs)
        members["post_logout_redirect_uris"] = .strings(client.postLogoutRedirectURIs)
        members["grant_types"] = .strings(grantTypes)
        members["response_types"] = .strings(["code"])
        members["token_endpoint_auth_method"] = .string(client.authentication.rawValue)
        members["dpop_bound_access_tokens"] = .boolean(client.requiresDPoP)
        members["id_token_signed_response_alg"] = (client.idTokenAlgorithm?.rawValue).map { .string($0) }
        members["userinfo_signed_response_alg"] = (client.userInfoAlgorithm?.rawValue).map { .string($0) }
        if let secret = client.secret {
            members["client_secret"] = .string(secret)
            members["client_secret_expires_at"] = .integer(0)
        }
        return members
    }

    private func algorithm(_ value: JSONValue?) throws(EndpointError) -> SigningAlgorithm? {
        guard let value else { return nil }
        guard let algorithm = value.string.flatMap({ SigningAlgorithm(rawValue: $0) }),
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

    private static func strings(_ metadata: [String: JSONValue], _ name: String) throws(EndpointError) -> [String]? {
        guard let value = metadata[name] else { return nil }
        guard let strings = value.array?.compactMap(\.string), strings.count == value.array?.count else {
            throw invalidMetadata("The member \(name) is not a list of strings.")
        }
        return strings
    }

    private static func invalidMetadata(_ description: String) -> EndpointError {
        EndpointError("invalid_client_metadata", description)
    }
}
