// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

extension ProviderMetadata {
    /// Reads a discovery document.
    ///
    /// - Parameters:
    ///   - bytes: The document. Untrusted.
    ///   - issuesIDTokens: Whether the provider is used as an OpenID provider, which must have signing keys.
    /// - Throws: ``OpenIDError``.
    package init(_ bytes: [UInt8], of issuer: Issuer, issuesIDTokens: Bool = true) throws(OpenIDError) {
        guard let document = ProviderDocument(bytes), let said = document["issuer"]?.string else {
            throw OpenIDError(.discovery, .malformedResponse)
        }
        // OpenID Connect Discovery 1.0, 4.3 and RFC 8414, 3.3: MUST be identical to the issuer that the document was
        // requested from.
        guard let issuer = issuer.issuer(inDocument: said) else { throw OpenIDError(.discovery, .issuerMismatch) }
        let required = ["authorization_endpoint", "token_endpoint"] + (issuesIDTokens ? ["jwks_uri"] : [])
        let missing = required.filter { document[$0] == nil }
        guard missing.isEmpty else { throw OpenIDError(.discovery, .missingMembers(missing)) }
        let reader = Reader(document: document, issuer: issuer)
        guard let authorization = try reader.endpoint("authorization_endpoint"),
            let token = try reader.endpoint("token_endpoint")
        else { throw OpenIDError(.discovery, .missingMembers(required)) }
        self.init(issuer: issuer, authorizationEndpoint: authorization, tokenEndpoint: token)
        self.document = document.members.filter { Self.members.contains($0.key) && $0.value != .null }
        // The name that was checked: a document read again is this issuer's, under any rule.
        self.document["issuer"] = .string(issuer.identifier)
        self.issuesIDTokens = issuesIDTokens
        if issuesIDTokens { jwksURI = try reader.endpoint("jwks_uri") }
        try reader.readOptionalMembers(into: &self)
    }

    /// Returns the metadata with the endpoints that only another document of the same provider names.
    ///
    /// - Parameter bytes: The document. Untrusted.
    /// - Returns: The metadata; an endpoint that both documents name stays unchanged.
    /// - Throws: ``OpenIDError``.
    func adding(_ bytes: [UInt8]) throws(OpenIDError) -> ProviderMetadata {
        guard let document = ProviderDocument(bytes), let said = document["issuer"]?.string else {
            throw OpenIDError(.discovery, .malformedResponse)
        }
        guard issuer.issuer(inDocument: said) != nil else { throw OpenIDError(.discovery, .issuerMismatch) }
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
        let completed = document.members.filter { Self.completedMembers.contains($0.key) }
        metadata.document.merge(completed) { own, _ in own }
        return metadata
    }

    /// The members that are read.
    private static let members = completedMembers.union([
        "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "end_session_endpoint",
        "authorization_response_iss_parameter_supported", "require_pushed_authorization_requests",
        "id_token_signing_alg_values_supported", "userinfo_signing_alg_values_supported",
        "token_endpoint_auth_methods_supported", "scopes_supported", "dpop_signing_alg_values_supported",
    ])

    /// The members that ``adding(_:)`` takes from another document.
    private static let completedMembers: Set = [
        "revocation_endpoint", "device_authorization_endpoint", "registration_endpoint",
        "pushed_authorization_request_endpoint", "revocation_endpoint_auth_methods_supported",
    ]

    private struct Reader {
        let document: ProviderDocument
        let issuer: Issuer

        func endpoint(_ member: String) throws(OpenIDError) -> EndpointURL? {
            guard let text = try checked({ () throws(ProviderDocument.MemberError) in try document.text(member) })
            else { return nil }
            do {
                return try EndpointURL(text, of: issuer)
            } catch {
                throw OpenIDError(.discovery, .invalidMember(member), underlying: error)
            }
        }

        func readOptionalMembers(into metadata: inout ProviderMetadata) throws(OpenIDError) {
            metadata.userInfoEndpoint = try endpoint("userinfo_endpoint")
            metadata.revocationEndpoint = try endpoint("revocation_endpoint")
            metadata.endSessionEndpoint = try endpoint("end_session_endpoint")
            metadata.deviceAuthorizationEndpoint = try endpoint("device_authorization_endpoint")
            metadata.pushedAuthorizationRequestEndpoint = try endpoint("pushed_authorization_request_endpoint")
            metadata.registrationEndpoint = try endpoint("registration_endpoint")
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

        private func boolean(_ member: String) throws(OpenIDError) -> Bool {
            try checked { () throws(ProviderDocument.MemberError) in try document.truth(member) ?? false }
        }

        private func list(_ member: String) throws(OpenIDError) -> [String]? {
            try checked { () throws(ProviderDocument.MemberError) in try document.texts(member) }
        }

        private func checked<Value>(
            _ read: () throws(ProviderDocument.MemberError) -> Value
        ) throws(OpenIDError) -> Value {
            do {
                return try read()
            } catch {
                throw OpenIDError(.discovery, .invalidMember(error.member))
            }
        }
    }
}

extension ProviderMetadata {
    /// Whether the app allowed plain http, also beyond loopback addresses, when it created the issuer.
    package var allowsInsecureHTTP: Bool { issuer.insecureHTTP == .insecurelyAllowHTTP }
}
