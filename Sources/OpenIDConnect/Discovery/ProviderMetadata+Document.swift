import APIClient
package import AuthCore

extension ProviderMetadata {
    /// Reads a discovery document.
    ///
    /// - Parameters:
    ///   - bytes: The document. Untrusted.
    ///   - issuer: The issuer that the document was requested from.
    /// - Throws: ``DiscoveryError`` (`unreadable`, `issuerMismatch`, `missingMember`, `invalidMember`).
    package init(_ bytes: [UInt8], of issuer: Issuer) throws(DiscoveryError) {
        guard let document = ProviderDocument(bytes), let said = document["issuer"]?.string else {
            throw DiscoveryError(.unreadable)
        }
        // OpenID Connect Discovery 1.0, 4.3 and RFC 8414, 3.3: MUST be identical to the issuer that the document was
        // requested from.
        guard issuer.isNamed(said) else { throw DiscoveryError(.issuerMismatch) }
        let missing = Self.required.filter { document[$0] == nil }
        guard missing.isEmpty else { throw DiscoveryError(.missingMember, members: missing) }
        let reader = Reader(document: document, issuer: issuer)
        guard let authorization = try reader.endpoint("authorization_endpoint"),
            let token = try reader.endpoint("token_endpoint"), let keys = try reader.endpoint("jwks_uri")
        else { throw DiscoveryError(.missingMember, members: Self.required) }
        self.issuer = issuer
        (authorizationEndpoint, tokenEndpoint, keySetURL) = (authorization, token, keys)
        optional = try reader.optionalEndpoints()
        abilities = try reader.abilities()
    }

    /// Returns the metadata with the endpoints that only another document of the same provider names.
    ///
    /// - Parameter bytes: The document. Untrusted.
    /// - Returns: The metadata; an endpoint that both documents name stays unchanged.
    /// - Throws: ``DiscoveryError`` (`unreadable`, `issuerMismatch`, `invalidMember`).
    func adding(_ bytes: [UInt8]) throws(DiscoveryError) -> ProviderMetadata {
        guard let document = ProviderDocument(bytes), let said = document["issuer"]?.string else {
            throw DiscoveryError(.unreadable)
        }
        guard issuer.isNamed(said) else { throw DiscoveryError(.issuerMismatch) }
        let reader = Reader(document: document, issuer: issuer)
        let more = try reader.optionalEndpoints()
        var metadata = self
        metadata.optional.revocation = optional.revocation ?? more.revocation
        metadata.optional.deviceAuthorization = optional.deviceAuthorization ?? more.deviceAuthorization
        metadata.optional.registration = optional.registration ?? more.registration
        metadata.optional.pushedAuthorizationRequest =
            optional.pushedAuthorizationRequest ?? more.pushedAuthorizationRequest
        if metadata.abilities.revocationAuthenticationMethods == nil {
            metadata.abilities.revocationAuthenticationMethods = try reader.abilities().revocationAuthenticationMethods
        }
        return metadata
    }

    /// The members that every sign-in needs.
    private static let required = ["authorization_endpoint", "token_endpoint", "jwks_uri"]

    private struct Reader {
        let document: ProviderDocument
        let issuer: Issuer

        func endpoint(_ member: String) throws(DiscoveryError) -> EndpointURL? {
            guard let text = try checked({ () throws(ProviderDocument.MemberFault) in try document.text(member) })
            else { return nil }
            do {
                return try EndpointURL(text, of: issuer)
            } catch {
                throw DiscoveryError(.invalidMember, members: [member], underlying: error)
            }
        }

        func optionalEndpoints() throws(DiscoveryError) -> OptionalEndpoints {
            var endpoints = OptionalEndpoints()
            endpoints.userInfo = try endpoint("userinfo_endpoint")
            endpoints.revocation = try endpoint("revocation_endpoint")
            endpoints.endSession = try endpoint("end_session_endpoint")
            endpoints.deviceAuthorization = try endpoint("device_authorization_endpoint")
            endpoints.pushedAuthorizationRequest = try endpoint("pushed_authorization_request_endpoint")
            endpoints.registration = try endpoint("registration_endpoint")
            return endpoints
        }

        func abilities() throws(DiscoveryError) -> ProviderAbilities {
            try checked { () throws(ProviderDocument.MemberFault) in
                var abilities = ProviderAbilities()
                abilities.sendsIssuer = try document.truth("authorization_response_iss_parameter_supported") ?? false
                abilities.requiresPushedAuthorizationRequests =
                    try document.truth("require_pushed_authorization_requests") ?? false
                abilities.idTokenAlgorithms = try document.texts("id_token_signing_alg_values_supported")
                abilities.userInfoAlgorithms = try document.texts("userinfo_signing_alg_values_supported")
                abilities.clientAuthenticationMethods = try document.texts("token_endpoint_auth_methods_supported")
                abilities.revocationAuthenticationMethods =
                    try document.texts("revocation_endpoint_auth_methods_supported")
                abilities.scopes = try document.texts("scopes_supported")
                abilities.proofAlgorithms = try document.texts("dpop_signing_alg_values_supported")
                return abilities
            }
        }

        func checked<Value>(
            _ read: () throws(ProviderDocument.MemberFault) -> Value
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
            "jwks_uri": .string(keySetURL.description),
            "authorization_response_iss_parameter_supported": .boolean(abilities.sendsIssuer),
            "require_pushed_authorization_requests": .boolean(abilities.requiresPushedAuthorizationRequests),
        ]
        let endpoints = [
            ("userinfo_endpoint", optional.userInfo), ("revocation_endpoint", optional.revocation),
            ("end_session_endpoint", optional.endSession),
            ("device_authorization_endpoint", optional.deviceAuthorization),
            ("pushed_authorization_request_endpoint", optional.pushedAuthorizationRequest),
        ]
        for (name, endpoint) in endpoints { document[name] = endpoint.map { .string($0.description) } }
        document["id_token_signing_alg_values_supported"] = abilities.idTokenAlgorithms.map {
            .array($0.map { .string($0) })
        }
        document["userinfo_signing_alg_values_supported"] = abilities.userInfoAlgorithms.map {
            .array($0.map { .string($0) })
        }
        document["revocation_endpoint_auth_methods_supported"] = abilities.revocationAuthenticationMethods.map {
            .array($0.map { .string($0) })
        }
        return document
    }

    /// Whether the app allowed plain http, also beyond loopback addresses, when it created the issuer.
    package var allowsInsecureHTTP: Bool { issuer.insecureHTTP == .insecurelyAllowHTTP }
}
