// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthCore
import HTTPTypes

/// The metadata of an API that names its authorization servers (RFC 9728), such as an MCP server.
public struct ProtectedResource: Sendable, Hashable {
    /// The API's identifier as the API writes it: the requested URL, a parent path of it, or its origin.
    public let resource: String
    /// The API's authorization servers, in the API's order; at least one.
    ///
    /// A sign-in there needs ``ProviderMetadata/withDistinctRedirect(port:)``, unless the responses contain `iss`.
    public let authorizationServers: [Issuer]
    /// The scopes that the API's document names; nil if it names none.
    public let scopesSupported: [String]?
    /// The scopes that the API's challenge names, which a sign-in needs first; nil if it names none.
    public let challengedScope: Scope?

    /// Reads an untrusted document.
    ///
    /// - Parameter url: The document's address, which decides whether it may be about a parent path of the API.
    init(_ bytes: [UInt8], at url: String, of api: Issuer, challengedScope: Scope?) throws(OpenIDError) {
        guard let document = ProviderDocument(bytes), let said = document["resource"]?.string else {
            throw OpenIDError(.discovery, .malformedResponse)
        }
        guard api.isNamed(said) || api.isWellKnown(url) && api.isPart(of: said) else {
            var error = OpenIDError(.discovery, .resourceMismatch)
            error.otherAddress = DisplayText.clean(said, limit: 300)
            throw error
        }
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
        resource = said
        self.challengedScope = challengedScope
    }

    /// Fetches the metadata of an API with a URL; a timeout above 15 seconds is reduced to that.
    ///
    /// The API is asked without a token: with GET, and if it allows no GET, with an empty POST. Its challenge names the
    /// document's address (RFC 9728, 5.1). Otherwise the document is at the well-known address with the URL's path
    /// (3.1), or at the one of the origin. Throws ``OpenIDError``; `BaseURLError` if the URL is not an https URL, or a
    /// loopback one.
    public static func discover(
        _ resource: String,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> ProtectedResource {
        // The policy on plain http is an issuer's: https, or a loopback address.
        let api = try Issuer(resource)
        let challenges = try await challenges(of: try EndpointURL(resource, of: api), settings)
        let address = challenges.lazy.compactMap { $0.parameters["resource_metadata"] }.first
        let scopes = challenges.filter(\.isAboutAccessTokens).compactMap { $0.parameters["scope"] }.map { Scope($0) }
        do {
            _ = try address.map { try EndpointURL($0, of: api) }
        } catch {
            throw OpenIDError(.discovery, .invalidMember("resource_metadata"), underlying: error)
        }
        let (base, name) = (api.baseURL, Issuer.resourceDocument)
        let known = [base.origin + name + base.pathPrefix, base.origin + name]
        let found = try await ProviderMetadata.document(
            atFirstOf: [address].compactMap(\.self) + known,
            of: api,
            settings
        )
        return try ProtectedResource(
            found.bytes,
            at: found.url,
            of: api,
            challengedScope: scopes.first { !$0.values.isEmpty }
        )
    }

    /// Returns the challenges to a request without a token; none if the API gives no usable response.
    private static func challenges(
        of api: EndpointURL,
        _ settings: ProviderSettings
    ) async throws -> [AuthenticationChallenge] {
        let client = ProviderClient(settings: settings.forDiscovery)
        do {
            var response = try await client.get(api)
            if response.status == 405 { response = try await client.post(json: [], to: api) }
            return AuthenticationChallenge.challenges(in: response.fields[values: .wwwAuthenticate])
        } catch let error as APIError {
            // An API may respond with a stream that doesn't end.
            guard error.mayHaveReachedServer else { throw OpenIDError(.discovery, .unreachable, underlying: error) }
            return []
        }
    }
}

extension Issuer {
    fileprivate static let resourceDocument = "/.well-known/oauth-protected-resource"

    /// Whether an address is a well-known one of the API's origin.
    ///
    /// A challenge names any address. An API that has a path of a host to itself must not get a token for the whole host.
    fileprivate func isWellKnown(_ url: String) -> Bool {
        guard let place = try? BaseURL(url, insecureHTTP: insecureHTTP), place.origin == baseURL.origin else {
            return false
        }
        return "\(place.pathPrefix)/".utf8.starts(with: "\(Self.resourceDocument)/".utf8)
    }

    /// Returns whether the API of this URL belongs to an untrusted resource: the same, a parent path, or the origin.
    ///
    /// RFC 9728, 3.3 demands the same; many servers name one of the others. Another origin's document is never used.
    fileprivate func isPart(of resource: String) -> Bool {
        if isNamed(resource) { return true }
        guard let parent = try? BaseURL(resource, insecureHTTP: insecureHTTP), parent.origin == baseURL.origin else {
            return false
        }
        if parent.pathPrefix.isEmpty { return true }
        let own = baseURL.pathPrefix + (identifier.hasSuffix("/") ? "/" : "")
        if own == parent.pathPrefix, !resource.hasSuffix("/") { return true }
        return own.utf8.starts(with: (parent.pathPrefix + "/").utf8)
    }
}
