// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

extension ProviderMetadata {
    /// Fetches a provider's metadata; a timeout above 15 seconds is reduced to that.
    ///
    /// The issuer is exactly the requested one, unless the profile's ``IssuerRule`` allows a tenant's. If the document
    /// names no revocation endpoint, the document of RFC 8414 is read, too, because some providers name their OAuth
    /// endpoints only there.
    ///
    /// Wire: `/.well-known/openid-configuration`, `/.well-known/oauth-authorization-server`.
    /// [OpenID Connect Discovery 1.0, 4](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig).
    public static func discover(
        issuer: Issuer,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> ProviderMetadata {
        let bytes = try await document(at: issuer.openIDConfigurationURL, of: issuer, settings)
        let metadata = try ProviderMetadata(bytes, of: issuer)
        guard metadata.revocationEndpoint == nil else { return metadata }
        do {
            let other = metadata.issuer.authorizationServerURL
            return try metadata.adding(try await document(at: other, of: metadata.issuer, settings))
        } catch is OpenIDError {
            // The provider has no such document, or none that can be fetched and used.
            return metadata
        }
    }

    /// Fetches the metadata of a server that is used without OpenID Connect; a timeout above 15 seconds is reduced to that.
    ///
    /// Without a profile of the issuer, no scope is requested unless the app names one.
    ///
    /// Wire: `/.well-known/oauth-authorization-server`; if there is no such document, `/.well-known/openid-configuration`
    /// before the issuer's path, then after it.
    /// [RFC 8414, 3](https://www.rfc-editor.org/rfc/rfc8414#section-3) and
    /// [5](https://www.rfc-editor.org/rfc/rfc8414#section-5).
    public static func discover(
        authorizationServer issuer: Issuer,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> ProviderMetadata {
        let issuer = issuer.withoutOpenIDScopes
        let base = issuer.baseURL
        let inserted = base.origin + "/.well-known/openid-configuration" + base.pathPrefix
        let urls = [issuer.authorizationServerURL, inserted, issuer.openIDConfigurationURL]
        let found = try await document(atFirstOf: urls, of: issuer, settings)
        return try ProviderMetadata(found.bytes, of: issuer, issuesIDTokens: false)
    }

    /// Returns the first document that exists, and its address.
    ///
    /// A refusal, a redirect or a page means that an address has none. Throws the error of the last address if no address
    /// has one. Throws at once if a server fails or doesn't respond.
    static func document(
        atFirstOf urls: [String],
        of issuer: Issuer,
        _ settings: ProviderSettings
    ) async throws -> (url: String, bytes: [UInt8]) {
        var (missing, asked) = (OpenIDError(.discovery, .unreachable), Set<String>())
        for url in urls where asked.insert(url).inserted {
            do {
                return (url, try await document(at: url, of: issuer, settings))
            } catch let error as OpenIDError where error.saysNotHere {
                // A page has the status of a success, which the error must not show.
                missing = error.code == .malformedResponse ? OpenIDError(.discovery, .unreachable) : error
            }
        }
        throw missing
    }

    private static func document(
        at url: String,
        of issuer: Issuer,
        _ settings: ProviderSettings
    ) async throws -> [UInt8] {
        let endpoint: EndpointURL
        do {
            endpoint = try EndpointURL(url, of: issuer)
        } catch {
            throw OpenIDError(.discovery, .invalidMember("issuer"), underlying: error)
        }
        let response = try await OpenIDError.Operation.discovery.sending {
            try await ProviderClient(settings: settings.forDiscovery).get(endpoint)
        }
        guard response.isSuccess else { throw OpenIDError(missingDocument: response, settings) }
        if response.isOfType("text/html") || response.isOfType("application/xhtml+xml") {
            throw OpenIDError(.discovery, .malformedResponse, status: response.status)
        }
        return response.body
    }

    /// Reads an untrusted discovery document of an OpenID provider, which must have signing keys, or of another server.
    package init(_ bytes: [UInt8], of issuer: Issuer, issuesIDTokens: Bool = true) throws(OpenIDError) {
        let (document, issuer) = try Self.read(bytes, of: issuer)
        let required = ["authorization_endpoint", "token_endpoint"] + (issuesIDTokens ? ["jwks_uri"] : [])
        let missing = required.filter { document[$0] == nil }
        guard missing.isEmpty else { throw OpenIDError(.discovery, .missingMembers(missing)) }
        do throws(ProviderDocument.MemberError) {
            guard let authorization = try document.endpoint("authorization_endpoint", of: issuer) else {
                throw .init(member: "authorization_endpoint")
            }
            guard let token = try document.endpoint("token_endpoint", of: issuer) else {
                throw .init(member: "token_endpoint")
            }
            self.init(issuer: issuer, authorizationEndpoint: authorization, tokenEndpoint: token)
            if issuesIDTokens {
                guard let keys = try document.endpoint("jwks_uri", of: issuer) else { throw .init(member: "jwks_uri") }
                jwksURI = keys
            }
            try readOptionalMembers(of: document)
        } catch {
            throw OpenIDError(error)
        }
        self.document = document.members.filter { Self.members.contains($0.key) && !$0.value.isAbsent }
        // The name that was checked: a document read again is this issuer's, under any rule.
        self.document["issuer"] = .string(issuer.identifier)
        self.issuesIDTokens = issuesIDTokens
    }

    /// Returns the metadata with the endpoints that only another, untrusted document of the same provider names.
    func adding(_ bytes: [UInt8]) throws(OpenIDError) -> ProviderMetadata {
        let (document, _) = try Self.read(bytes, of: issuer)
        var (metadata, more) = (self, self)
        do {
            // Every member is checked, also those that are not used.
            try more.readOptionalMembers(of: document)
        } catch {
            throw OpenIDError(error)
        }
        for endpoint in [
            \ProviderMetadata.revocationEndpoint, \.deviceAuthorizationEndpoint, \.registrationEndpoint,
            \.pushedAuthorizationRequestEndpoint,
        ] {
            metadata[keyPath: endpoint] = self[keyPath: endpoint] ?? more[keyPath: endpoint]
        }
        metadata.revocationEndpointAuthMethodsSupported =
            revocationEndpointAuthMethodsSupported ?? more.revocationEndpointAuthMethodsSupported
        let completed = document.members.filter { Self.completedMembers.contains($0.key) }
        metadata.document.merge(completed) { own, _ in own }
        return metadata
    }

    private static func read(_ bytes: [UInt8], of issuer: Issuer) throws(OpenIDError) -> (ProviderDocument, Issuer) {
        guard let document = ProviderDocument(bytes), let said = document["issuer"]?.string else {
            throw OpenIDError(.discovery, .malformedResponse)
        }
        // OpenID Connect Discovery 1.0, 4.3 and RFC 8414, 3.3: MUST be identical to the issuer that the document was
        // requested from.
        guard let named = issuer.issuer(inDocument: said) else {
            var error = OpenIDError(.discovery, .issuerMismatch)
            (error.requestedAddress, error.otherAddress) = (issuer.identifier, DisplayText.clean(said, limit: 300))
            throw error
        }
        return (document, named)
    }

    private static let members = completedMembers.union([
        "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "end_session_endpoint",
        "authorization_response_iss_parameter_supported", "require_pushed_authorization_requests",
        "id_token_signing_alg_values_supported", "userinfo_signing_alg_values_supported",
        "token_endpoint_auth_methods_supported", "scopes_supported", "dpop_signing_alg_values_supported",
        "client_id_metadata_document_supported",
    ])

    /// The members that ``adding(_:)`` takes from another document.
    private static let completedMembers: Set = [
        "revocation_endpoint", "device_authorization_endpoint", "registration_endpoint",
        "pushed_authorization_request_endpoint", "revocation_endpoint_auth_methods_supported",
    ]

    private mutating func readOptionalMembers(of document: ProviderDocument) throws(ProviderDocument.MemberError) {
        userInfoEndpoint = try document.endpoint("userinfo_endpoint", of: issuer)
        revocationEndpoint = try document.endpoint("revocation_endpoint", of: issuer)
        endSessionEndpoint = try document.endpoint("end_session_endpoint", of: issuer)
        deviceAuthorizationEndpoint = try document.endpoint("device_authorization_endpoint", of: issuer)
        pushedAuthorizationRequestEndpoint =
            try document.endpoint("pushed_authorization_request_endpoint", of: issuer)
        registrationEndpoint = try document.endpoint("registration_endpoint", of: issuer)
        authorizationResponseIssParameterSupported =
            try document.truth("authorization_response_iss_parameter_supported") ?? false
        requirePushedAuthorizationRequests = try document.truth("require_pushed_authorization_requests") ?? false
        clientIDMetadataDocumentSupported = try document.truth("client_id_metadata_document_supported") ?? false
        idTokenSigningAlgValuesSupported = try document.texts("id_token_signing_alg_values_supported")
        userInfoSigningAlgValuesSupported = try document.texts("userinfo_signing_alg_values_supported")
        tokenEndpointAuthMethodsSupported = try document.texts("token_endpoint_auth_methods_supported")
        revocationEndpointAuthMethodsSupported = try document.texts("revocation_endpoint_auth_methods_supported")
        scopesSupported = try document.texts("scopes_supported")
        dpopSigningAlgValuesSupported = try document.texts("dpop_signing_alg_values_supported")
    }

    /// Whether the app allowed plain http, also beyond loopback addresses, when it created the issuer.
    package var allowsInsecureHTTP: Bool { issuer.insecureHTTP == .insecurelyAllowHTTP }
}

extension OpenIDError {
    init(_ error: ProviderDocument.MemberError) {
        self.init(.discovery, .invalidMember(error.member), underlying: error.underlying)
    }
}

extension ProviderSettings {
    /// The settings with a timeout of at most 15 seconds.
    var forDiscovery: ProviderSettings {
        var settings = self
        settings.timeout = min(timeout, .seconds(15))
        return settings
    }
}

extension Issuer {
    /// The address of the document of OpenID Connect Discovery, 4.1: appended to the issuer's path, with one slash between.
    fileprivate var openIDConfigurationURL: String { baseURL.description + "/.well-known/openid-configuration" }

    /// The address of the document of RFC 8414, 3.1: the well-known path is between the host and the issuer's path.
    fileprivate var authorizationServerURL: String {
        baseURL.origin + "/.well-known/oauth-authorization-server" + baseURL.pathPrefix
    }
}

extension OpenIDError {
    /// Whether a response says that the document is not at its address; not if the server fails for now.
    fileprivate var saysNotHere: Bool { status.map { !HTTPFailure.isRetryable(status: $0) } ?? false }

    /// Creates the error of a response without a document.
    init(missingDocument response: ProviderResponse, _ settings: ProviderSettings) {
        let error = OpenIDError(.discovery, response, settings)
        // A refusal, such as 404, says only that the document is not there.
        self = error.code == .refused ? OpenIDError(.discovery, .unreachable, status: response.status) : error
        guard reason == .redirected, let target = response.fields[.location] else { return }
        // A query may name a device or a user to the page of a network.
        let shown = target.prefix { !"?#".contains($0) }
        otherAddress = DisplayText.clean(String(shown), limit: 300, sent: response.sent)
    }
}
