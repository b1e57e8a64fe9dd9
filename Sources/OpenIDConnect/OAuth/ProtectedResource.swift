// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

/// The metadata of an API that names its authorization servers, such as an MCP server.
///
/// [RFC 9728, 2](https://www.rfc-editor.org/rfc/rfc9728#section-2).
public struct ProtectedResource: Sendable, Hashable {
    /// The API's identifier, exactly as requested.
    ///
    /// Wire: `resource`.
    public let resource: String
    /// The API's authorization servers, in the API's order; at least one.
    ///
    /// A sign-in at one of them needs a redirect URI of its own, unless its responses contain `iss`:
    /// ``ProviderMetadata/withDistinctRedirect()``.
    ///
    /// Wire: `authorization_servers`.
    public let authorizationServers: [Issuer]
    /// The scopes that the API names; nil if it names none.
    ///
    /// Wire: `scopes_supported`.
    public let scopesSupported: [String]?

    /// Reads a document.
    ///
    /// - Parameter bytes: The document. Untrusted.
    /// - Throws: ``OpenIDError``.
    init(_ bytes: [UInt8], of resource: String) throws(OpenIDError) {
        guard let document = ProviderDocument(bytes), let said = document["resource"]?.string else {
            throw OpenIDError(.discovery, .malformedResponse)
        }
        // RFC 9728, 3.3: MUST be identical, or the metadata MUST NOT be used.
        guard said.utf8.elementsEqual(resource.utf8) else { throw OpenIDError(.discovery, .resourceMismatch) }
        let servers: [String]
        do {
            servers = try document.texts("authorization_servers") ?? []
            scopesSupported = try document.texts("scopes_supported")
        } catch {
            throw OpenIDError(.discovery, .invalidMember(error.member))
        }
        guard !servers.isEmpty else { throw OpenIDError(.discovery, .missingMembers(["authorization_servers"])) }
        do {
            authorizationServers = try servers.prefix(16).map { try Issuer($0).namedByResource() }
        } catch {
            throw OpenIDError(.discovery, .invalidMember("authorization_servers"), underlying: error)
        }
        // An API on the network must not send requests to a service on this machine.
        guard resource.hasPrefix("http://") || authorizationServers.allSatisfy({ $0.baseURL.scheme == "https" }) else {
            throw OpenIDError(.discovery, .invalidMember("authorization_servers"))
        }
        self.resource = resource
    }

    /// Fetches an API's metadata.
    ///
    /// - Parameters:
    ///   - resource: The API's URL. If nothing is at its well-known address, the API is asked without a token, and its
    ///     challenge names the address.
    ///   - settings: The settings of the requests; a timeout above 15 seconds is reduced to 15 seconds.
    /// - Returns: The metadata. Its resource is exactly the requested one.
    /// - Throws: ``OpenIDError``; `BaseURLError` if the URL is not an https URL, or a loopback one;
    ///   `CancellationError`.
    ///
    /// Wire: `/.well-known/oauth-protected-resource`; `WWW-Authenticate: Bearer resource_metadata="..."`.
    /// [RFC 9728, 3.1](https://www.rfc-editor.org/rfc/rfc9728#section-3.1),
    /// [5.1](https://www.rfc-editor.org/rfc/rfc9728#section-5.1).
    public static func discover(
        _ resource: String,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> ProtectedResource {
        // The policy on plain http is an issuer's: https, or a loopback address.
        let api = try Issuer(resource)
        var settings = settings
        settings.timeout = min(settings.timeout, .seconds(15))
        let client = ProviderClient(settings: settings)
        // RFC 9728, 3.1: the well-known path is between the host and the resource's path.
        let base = api.baseURL
        let known = base.origin + "/.well-known/oauth-protected-resource" + base.pathPrefix
        do {
            let found = try await client.get(try EndpointURL(known, of: api))
            if found.isSuccess { return try ProtectedResource(found.body, of: resource) }
            let refused = try await client.get(try EndpointURL(resource, of: api))
            let challenges = AuthenticationChallenge.challenges(in: refused.fields[values: .wwwAuthenticate])
            guard let address = challenges.lazy.compactMap({ $0.parameters["resource_metadata"] }).first else {
                throw OpenIDError(missingDocument: found, settings)
            }
            let named = try await client.get(try EndpointURL(address, of: api))
            guard named.isSuccess else { throw OpenIDError(missingDocument: named, settings) }
            return try ProtectedResource(named.body, of: resource)
        } catch let error as APIError {
            throw OpenIDError(.discovery, .unreachable, underlying: error)
        } catch let error as BaseURLError {
            throw OpenIDError(.discovery, .invalidMember("resource_metadata"), underlying: error)
        }
    }
}
