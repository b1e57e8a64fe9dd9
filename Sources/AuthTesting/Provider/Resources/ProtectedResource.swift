// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// [RFC 6750, 2.1 and 3](https://www.rfc-editor.org/rfc/rfc6750#section-3).
extension ProviderState {
    /// Responds as the API that an app calls: with the token's subject and the request.
    mutating func api(_ exchange: Exchange) throws(EndpointError) -> EndpointResponse {
        let token = try accessToken(exchange)
        return EndpointResponse([
            "sub": .string(families[token.family].user.subject),
            "scope": .string(token.scope.description),
            "method": .string(exchange.request.method.rawValue),
            "path": .string(exchange.request.path),
        ])
    }

    /// Returns the valid access token in a request's header.
    mutating func accessToken(_ exchange: Exchange) throws(EndpointError) -> IssuedAccessToken {
        let request = exchange.request
        let elsewhere = Parameters(formEncoded: request.query.utf8)?["access_token"]
        let isForm = request.hasContentType("application/x-www-form-urlencoded")
        guard elsewhere == nil, !isForm || Parameters(formEncoded: request.body)?["access_token"] == nil else {
            throw .invalidRequest("The access token must be in the header only.")
        }
        let fields = request.fields[values: .authorization]
        guard let field = fields.first else {
            // RFC 6750, 3.1: no error code if the request has no credentials.
            throw Self.challenge("Bearer", nil, "The access token is missing.")
        }
        let parts = field.split(separator: " ", maxSplits: 1).map(String.init)
        guard fields.count == 1, parts.count == 2 else {
            throw .invalidRequest("The Authorization field can't be read.")
        }
        let scheme = parts[0].lowercased()
        guard scheme == "bearer" || scheme == "dpop" else {
            throw Self.challenge("Bearer", nil, "The scheme is unknown.")
        }
        let name = scheme == "dpop" ? "DPoP" : "Bearer"
        guard let token = accessTokens[parts[1]], exchange.date < token.expiration,
            families[token.family].end == nil
        else { throw Self.challenge(name, "invalid_token", "The access token is invalid.") }
        // RFC 9449, 7.2: a bound token is not a bearer token, and a bearer token is not bound.
        guard (token.dpopThumbprint != nil) == (name == "DPoP") else {
            throw Self.challenge(name, "invalid_token", "The access token has another type.")
        }
        if let key = token.dpopThumbprint { try checkProof(exchange, of: parts[1], by: key) }
        return token
    }

    private mutating func checkProof(
        _ exchange: Exchange,
        of accessToken: String,
        by key: String
    ) throws(EndpointError) {
        let proof: ReceivedDPoPProof?
        do throws(EndpointError) {
            proof = try self.proof(exchange)
        } catch {
            throw Self.challenge("DPoP", error.code, error.description)
        }
        guard let proof, proof.isProof(for: accessToken) else {
            throw Self.challenge("DPoP", "invalid_dpop_proof", "The DPoP proof for the access token is missing.")
        }
        guard proof.key == key else {
            throw Self.challenge("DPoP", "invalid_token", "The access token is bound to another key.")
        }
    }

    /// Returns a 401 that names the required credentials.
    private static func challenge(_ scheme: String, _ error: String?, _ description: String) -> EndpointError {
        var challenge = "\(scheme) realm=\"provider\""
        if let error { challenge += ", error=\"\(error)\", error_description=\"\(description)\"" }
        if scheme == "DPoP" { challenge += ", algs=\"ES256\"" }
        return EndpointError(error ?? "unauthorized", description, status: 401, fields: [.wwwAuthenticate: challenge])
    }
}
