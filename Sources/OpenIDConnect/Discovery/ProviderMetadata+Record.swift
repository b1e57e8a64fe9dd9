import APIClient
package import AuthCore

extension ProviderMetadata {
    /// What was checked, as a discovery document again: for who keeps it and reads it without asking the provider.
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

    /// Whether plain http is taken for other than loopback addresses, as the app said when it named the issuer.
    package var allowsInsecureHTTP: Bool { issuer.insecureHTTP == .insecurelyAllowHTTP }
}
