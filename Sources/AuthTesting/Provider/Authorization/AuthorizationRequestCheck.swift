// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// An authorization request that was checked, and may get a code.
struct CheckedAuthorizationRequest: Sendable {
    let clientID: String
    let redirectURI: String
    let scope: Scope
    let nonce: String?
    let codeChallenge: String
    let authenticationContext: String?
    let resources: [String]
    let claims: RequestedClaims
    let prompt: [String]
    /// The thumbprint of the DPoP key that the code is for; nil for any key.
    var dpopThumbprint: String?
}

/// The claims that a relying party requested by name.
///
/// [OpenID Connect Core 1.0, 5.5](https://openid.net/specs/openid-connect-core-1_0.html#ClaimsParameter).
struct RequestedClaims: Sendable {
    var idToken: Set<String> = []
    var userInfo: Set<String> = []
}

extension ProviderState {
    /// Returns the redirect URI of a known client; an error here must never be sent to that URI.
    ///
    /// [RFC 6749, 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1).
    func redirectURI(of parameters: Parameters) throws(EndpointError) -> String {
        guard parameters.values("client_id").count <= 1, parameters.values("redirect_uri").count <= 1 else {
            throw .invalidRequest("The client ID or the redirect URI is repeated.")
        }
        guard let id = parameters["client_id"], let client = clients[id] else {
            throw EndpointError("invalid_client", "The client is unknown.")
        }
        guard let uri = parameters["redirect_uri"],
            Client.isRegistered(uri, among: client.redirectURIs)
        else { throw .invalidRequest("The redirect URI is not registered.") }
        return uri
    }

    /// Checks the other parameters.
    func check(_ parameters: Parameters, redirectURI: String) throws(EndpointError) -> CheckedAuthorizationRequest {
        guard parameters.isUnambiguous else { throw .invalidRequest("A parameter is repeated.") }
        for name in ["request", "registration"] where parameters[name] != nil {
            throw EndpointError("\(name)_not_supported", "The parameter \(name) is not supported.")
        }
        guard let client = parameters["client_id"].flatMap({ clients[$0] }) else { throw .unauthorizedClient }
        try client.checkGrant(.authorizationCode)
        guard let type = parameters["response_type"] else { throw .invalidRequest("The response type is missing.") }
        guard type == "code" else {
            throw EndpointError("unsupported_response_type", "Only the response type code is supported.")
        }
        guard parameters["response_mode"] ?? "query" == "query" else {
            throw .invalidRequest("Only the response mode query is supported.")
        }
        let prompt = parameters["prompt"]?.split(separator: " ").map(String.init) ?? []
        guard !prompt.contains("none") || prompt.count == 1, parameters["max_age"].map({ UInt($0) != nil }) ?? true
        else { throw .invalidRequest("The parameter prompt or max_age is invalid.") }
        return CheckedAuthorizationRequest(
            clientID: client.id,
            redirectURI: redirectURI,
            scope: try grantable(parameters["scope"]),
            nonce: parameters["nonce"],
            codeChallenge: try codeChallenge(parameters),
            authenticationContext: parameters["acr_values"]?.split(separator: " ").first.map(String.init),
            resources: try resources(parameters),
            claims: try requestedClaims(parameters["claims"]),
            prompt: prompt,
            dpopThumbprint: parameters["dpop_jkt"]
        )
    }

    /// Returns the scopes, all of which must be known.
    func grantable(_ text: String?) throws(EndpointError) -> Scope {
        let scope = Scope(text ?? "openid")
        guard !scope.values.isEmpty, scope.values.allSatisfy(configuration.scope.contains) else {
            throw EndpointError("invalid_scope", "A scope is unknown.")
        }
        return scope
    }

    /// Returns the code challenge, which is required and must use S256.
    ///
    /// [RFC 7636, 4.4.1](https://www.rfc-editor.org/rfc/rfc7636#section-4.4.1).
    private func codeChallenge(_ parameters: Parameters) throws(EndpointError) -> String {
        guard let challenge = parameters["code_challenge"] else {
            throw .invalidRequest("The code challenge is missing.")
        }
        guard parameters["code_challenge_method"] == "S256" else {
            throw .invalidRequest("The code challenge's method is not S256.")
        }
        guard Base64URL.decode(challenge.utf8)?.count == 32 else {
            throw .invalidRequest("The code challenge is not a SHA-256 hash in base64url.")
        }
        return challenge
    }

    /// Returns the resources, which must be absolute URIs without a fragment.
    ///
    /// [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    func resources(_ parameters: Parameters) throws(EndpointError) -> [String] {
        let resources = parameters.values("resource")
        guard resources.allSatisfy({ $0.contains("://") && !$0.contains("#") }) else {
            throw EndpointError("invalid_target", "A resource is not an absolute URI.")
        }
        return resources
    }

    private func requestedClaims(_ text: String?) throws(EndpointError) -> RequestedClaims {
        guard let text else { return RequestedClaims() }
        guard let document = try? JSONValue.object(in: Array(text.utf8)) else {
            throw .invalidRequest("The parameter claims is not a JSON object.")
        }
        return RequestedClaims(
            idToken: Set((document["id_token"]?.object ?? [:]).keys),
            userInfo: Set((document["userinfo"]?.object ?? [:]).keys)
        )
    }
}
