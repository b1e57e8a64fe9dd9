// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A pushed authorization request that the browser has not opened.
struct PushedRequest: Sendable {
    let parameters: Parameters
    let expiration: Date
    /// The thumbprint of the DPoP key that the code is for; nil for any key.
    let dpopThumbprint: String?
}

/// [RFC 9126](https://www.rfc-editor.org/rfc/rfc9126).
extension ProviderState {
    private static let uriPrefix = "urn:ietf:params:oauth:request_uri:"

    /// Checks the request as the authorization endpoint does, and stores it.
    mutating func pushedAuthorizationRequest(_ exchange: Exchange) throws(EndpointError) -> EndpointResponse {
        let form = try exchange.request.form()
        let client = try authenticate(exchange, form)
        // RFC 9126, 2.1.
        guard form["request_uri"] == nil else {
            throw .invalidRequest("A pushed request can't refer to another request.")
        }
        var parameters = form
        parameters.items.removeAll { ["client_secret", "client_assertion", "client_assertion_type"].contains($0.name) }
        if form["client_id"] == nil { parameters.append("client_id", client.id) }
        let request = try check(parameters, redirectURI: try redirectURI(of: parameters))
        // RFC 9449, 10.1: the proof determines the key that the code is for.
        let proven = try proof(exchange)?.key
        if let proven, let named = request.dpopThumbprint, proven != named {
            throw EndpointError("invalid_dpop_proof", "The proof's key is not the one in dpop_jkt.")
        }
        let uri = Self.uriPrefix + Base64URL.encode(RandomBytes.make(32))
        pushedRequests[uri] = PushedRequest(
            parameters: parameters,
            expiration: exchange.date.adding(configuration.pushedRequestLifetime),
            dpopThumbprint: proven ?? request.dpopThumbprint
        )
        return EndpointResponse(
            ["request_uri": .string(uri), "expires_in": .seconds(configuration.pushedRequestLifetime)],
            status: 201
        )
    }

    /// Removes and returns a pushed request, for its one use by the client that pushed it.
    mutating func takePushedRequest(
        _ uri: String,
        clientID: String?,
        at date: Date
    ) throws(EndpointError) -> PushedRequest {
        guard let request = pushedRequests[uri], request.parameters["client_id"] == clientID else {
            throw EndpointError("invalid_request_uri", "The request is unknown.")
        }
        pushedRequests[uri] = nil
        guard date < request.expiration else { throw EndpointError("invalid_request_uri", "The request has expired.") }
        return request
    }
}
