// SPDX-License-Identifier: Apache-2.0

import APIClient
package import AuthCore

extension ProviderMetadata {
    /// Reads a discovery document.
    ///
    /// - Parameters:
    ///   - bytes: The document. Untrusted.
    ///   - issuer: The issuer that the document was requested from.
    ///   - issuesIDTokens: Whether the provider is used as an OpenID provider, which must have signing keys.
    /// - Throws: ``DiscoveryError`` (`malformedResponse`, `issuerMismatch`, `missingMember`, `invalidMember`).
    package init(_ bytes: [UInt8], of issuer: Issuer, issuesIDTokens: Bool = true) throws(DiscoveryError) {
        guard let document = ProviderDocument(bytes), let said = document["issuer"]?.string else {
            throw DiscoveryError(.malformedResponse)
        }
        // OpenID Connect Discovery 1.0, 4.3 and RFC 8414, 3.3: MUST be identical to the issuer that the document was
        // requested from.
        guard let issuer = issuer.issuer(inDocument: said) else { throw DiscoveryError(.issuerMismatch) }
        let required = ["authorization_endpoint", "token_endpoint"] + (issuesIDTokens ? ["jwks_uri"] : [])
        let missing = required.filter { document[$0] == nil }
        guard missing.isEmpty else { throw DiscoveryError(.missingMember, members: missing) }
        let reader = Reader(document: document, issuer: issuer)
        guard let authorization = try reader.endpoint("authorization_endpoint"),
            let token = try reader.endpoint("token_endpoint")
        else { throw DiscoveryError(.missingMember, members: required) }
        self.init(issuer: issuer, authorizationEndpoint: authorization, tokenEndpoint: token)
        isFromDocument = true
        self.issuesIDTokens = issuesIDTokens
        if issuesIDTokens { jwksURI = try reader.endpoint("jwks_uri") }
        try reader.readOptionalMembers(into: &self)
    }

    /// Returns the metadata with the endpoints that only another document of the same provider names.
    ///
    /// - Parameter bytes: The document. Untrusted.
    /// - Returns: The metadata; an endpoint that both documents name stays unchanged.
    /// - Throws: ``DiscoveryError`` (`malformedResponse`, `issuerMismatch`, `invalidMember`).
    func adding(_ bytes: [UInt8]) throws(DiscoveryError) -> ProviderMetadata {
        guard let document = ProviderDocument(bytes), let said = document["issuer"]?.string else {
            throw DiscoveryError(.malformedResponse)
        }
        guard issuer.issuer(inDocument: said) != nil else { throw DiscoveryError(.issuerMismatch) }
        let reader = Reader(document: document, issuer: issuer)
        // Every member is checked, also those that are not used.
        var more = self
        try reader.readOptionalMembers(into: &more)
        var metadata = self
        metadata.revocationEndpoint = revocationEndpoint ?? more.revocationEndpoint
        metadata.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint ?? more.deviceAuthorizationEndpoint
        metadata.registrationEndpoint = registrationEndpoint ?? more.registrationEndpoint
        metadata.pushedAuthorizationRequestEndpoint =
            pushedAuthorizationRequestEndpoint ?? more.pushedAuthorizationRequestEndpoint
        metadata.revocationEndpointAuthMethodsSupported =
            revocationEndpointAuthMethodsSupported ?? more.revocationEndpointAuthMethodsSupported
        metadata.mtlsEndpointAliases.merge(more.mtlsEndpointAliases) { own, _ in own }
        metadata.tlsClientCertificateBoundAccessTokens =
            tlsClientCertificateBoundAccessTokens || more.tlsClientCertificateBoundAccessTokens
        return metadata
    }

    private struct Reader {
        let document: ProviderDocument
        let issuer: Issuer

        func endpoint(_ member: String) throws(DiscoveryError) -> EndpointURL? {
            guard let text = try checked({ () throws(ProviderDocument.MemberError) in try document.text(member) })
            else { return nil }
            do {
                return try EndpointURL(text, of: issuer)
            } catch {
                throw DiscoveryError(.invalidMember, members: [member], underlying: error)
            }
        }

        func readOptionalMembers(into metadata: inout ProviderMetadata) throws(DiscoveryError) {
            metadata.userInfoEndpoint = try endpoint("userinfo_endpoint")
            metadata.revocationEndpoint = try endpoint("revocation_endpoint")
            metadata.endSessionEndpoint = try endpoint("end_session_endpoint")
            metadata.deviceAuthorizationEndpoint = try endpoint("device_authorization_endpoint")
            metadata.pushedAuthorizationRequestEndpoint = try endpoint("pushed_authorization_request_endpoint")
            metadata.registrationEndpoint = try endpoint("registration_endpoint")
            metadata.mtlsEndpointAliases = try endpointAliases()
            metadata.tlsClientCertificateBoundAccessTokens = try boolean("tls_client_certificate_bound_access_tokens")
            metadata.authorizationResponseIssParameterSupported =
                try boolean("authorization_response_iss_parameter_supported")
            metadata.requirePushedAuthorizationRequests = try boolean("require_pushed_authorization_requests")
            metadata.idTokenSigningAlgValuesSupported = try list("id_token_signing_alg_values_supported")
            metadata.userInfoSigningAlgValuesSupported = try list("userinfo_signing_alg_values_supported")
            metadata.tokenEndpointAuthMethodsSupported = try list("token_endpoint_auth_methods_supported")
            metadata.revocationEndpointAuthMethodsSupported = try list("revocation_endpoint_auth_methods_supported")
            metadata.scopesSupported = try list("scopes_supported")
            metadata.dpopSigningAlgValuesSupported = try list("dpop_signing_alg_values_supported")
        }

        /// RFC 8705, 5: a name that is not known is ignored.
        private func endpointAliases() throws(DiscoveryError) -> [String: EndpointURL] {
            let member = "mtls_endpoint_aliases"
            guard let value = document[member] else { return [:] }
            guard let given = value.object else { throw DiscoveryError(.invalidMember, members: [member]) }
            var aliases: [String: EndpointURL] = [:]
            for name in ProviderMetadata.aliasedEndpoints {
                guard let alias = given[name], alias != .null else { continue }
                guard let text = alias.string else { throw DiscoveryError(.invalidMember, members: [member]) }
                do {
                    aliases[name] = try EndpointURL(text, of: issuer)
                } catch {
                    throw DiscoveryError(.invalidMember, members: [member], underlying: error)
                }
            }
            return aliases
        }

        private func boolean(_ member: String) throws(DiscoveryError) -> Bool {
            try checked { () throws(ProviderDocument.MemberError) in try document.truth(member) ?? false }
        }

        private func list(_ member: String) throws(DiscoveryError) -> [String]? {
            try checked { () throws(ProviderDocument.MemberError) in try document.texts(member) }
        }

        private func checked<Value>(
            _ read: () throws(ProviderDocument.MemberError) -> Value
        ) throws(DiscoveryError) -> Value {
            do {
                return try read()
            } catch {
                throw DiscoveryError(.invalidMember, members: [error.member])
            }
        }
    }
}

extension ProviderMetadata {
    /// The checked metadata as a discovery document, for storing it and reading it again without a request.
    package var document: [String: JSONValue] {
        var document: [String: JSONValue] = [
            "issuer": .string(issuer.identifier),
            "authorization_endpoint": .string(authorizationEndpoint.description),
            "token_endpoint": .string(tokenEndpoint.description),
            "authorization_response_iss_parameter_supported": .boolean(authorizationResponseIssParameterSupported),
            "require_pushed_authorization_requests": .boolean(requirePushedAuthorizationRequests),
        ]
        let endpoints = [
            ("jwks_uri", jwksURI), ("userinfo_endpoint", userInfoEndpoint), ("revocation_endpoint", revocationEndpoint),
            ("end_session_endpoint", endSessionEndpoint),
            ("device_authorization_endpoint", deviceAuthorizationEndpoint),
            ("pushed_authorization_request_endpoint", pushedAuthorizationRequestEndpoint),
        ]
        for (name, endpoint) in endpoints { document[name] = endpoint.map { .string($0.description) } }
        let lists = [
            ("id_token_signing_alg_values_supported", idTokenSigningAlgValuesSupported),
            ("userinfo_signing_alg_values_supported", userInfoSigningAlgValuesSupported),
            ("revocation_endpoint_auth_methods_supported", revocationEndpointAuthMethodsSupported),
            ("dpop_signing_alg_values_supported", dpopSigningAlgValuesSupported),
            ("scopes_supported", scopesSupported),
        ]
        if !mtlsEndpointAliases.isEmpty {
            let aliases = mtlsEndpointAliases.mapValues { JSONValue.string($0.description) }
            document["mtls_endpoint_aliases"] = .object(aliases)
        }
        if tlsClientCertificateBoundAccessTokens {
            document["tls_client_certificate_bound_access_tokens"] = .boolean(true)
        }
        for (name, list) in lists { document[name] = list.map { .array($0.map { .string($0) }) } }
        return document
    }

    /// Whether the app allowed plain http, also beyond loopback addresses, when it created the issuer.
    package var allowsInsecureHTTP: Bool { issuer.insecureHTTP == .insecurelyAllowHTTP }
}
