// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

/// The metadata of an API that names its authorization servers (RFC 9728), such as an MCP server.
public struct ProtectedResource: Sendable, Hashable {
    /// The API's identifier, exactly as requested.
    public let resource: String
    /// The API's authorization servers, in the API's order; at least one.
    ///
    /// A sign-in there needs ``ProviderMetadata/withDistinctRedirect()``, unless the responses contain `iss`.
    public let authorizationServers: [Issuer]
    /// The scopes that the API names; nil if it names none.
    public let scopesSupported: [String]?

    /// Reads an untrusted document.
    init(_ bytes: [UInt8], of api: Issuer) throws(OpenIDError) {
        guard let document = ProviderDocument(bytes), let said = document["resource"]?.string else {
            throw OpenIDError(.discovery, .malformedResponse)
        }
        // RFC 9728, 3.3: MUST be identical, or the metadata MUST NOT be used.
        guard api.isNamed(said) else { throw OpenIDError(.discovery, .resourceMismatch) }
        let servers: [String]
        do {
            servers = try document.texts("authorization_servers") ?? []
            scopesSupported = try document.texts("scopes_supported")
        } catch {
            throw OpenIDError(error)
        }
        guard !servers.isEmpty else { throw OpenIDError(.discovery, .missingMembers(["authorization_servers"])) }
        do {
            authorizationServers = try servers.prefix(16).map { server in
                // The rules for an issuer's endpoints: an API on the network names no service on this machine.
                _ = try EndpointURL(server, of: api)
                return try Issuer(server).namedByResource()
            }
        } catch {
            throw OpenIDError(.discovery, .invalidMember("authorization_servers"), underlying: error)
        }
        resource = api.identifier
    }

    /// Fetches the metadata of an API with a URL; a timeout above 15 seconds is reduced to that.
    ///
    /// If nothing is at its well-known address (RFC 9728, 3.1), the API is asked without a token, and its challenge
    /// names the address (5.1). Throws ``OpenIDError``; `BaseURLError` if the URL is not an https URL, or a loopback
    /// one.
    public static func discover(
        _ resource: String,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> ProtectedResource {
        // The policy on plain http is an issuer's: https, or a loopback address.
        let api = try Issuer(resource)
        let client = ProviderClient(settings: settings.forDiscovery)
        // RFC 9728, 3.1: the well-known path is between the host and the resource's path.
        let base = api.baseURL
        let known = base.origin + "/.well-known/oauth-protected-resource" + base.pathPrefix
        do {
            let found = try await client.get(try EndpointURL(known, of: api))
            if found.isSuccess { return try ProtectedResource(found.body, of: api) }
            let refused = try await client.get(try EndpointURL(resource, of: api))
            let challenges = AuthenticationChallenge.challenges(in: refused.fields[values: .wwwAuthenticate])
            guard let address = challenges.lazy.compactMap({ $0.parameters["resource_metadata"] }).first else {
                throw OpenIDError(missingDocument: found, settings)
            }
            let named = try await client.get(try EndpointURL(address, of: api))
            guard named.isSuccess else { throw OpenIDError(missingDocument: named, settings) }
            return try ProtectedResource(named.body, of: api)
        } catch let error as APIError {
            throw OpenIDError(.discovery, .unreachable, underlying: error)
        } catch let error as BaseURLError {
            throw OpenIDError(.discovery, .invalidMember("resource_metadata"), underlying: error)
        }
    }
}
