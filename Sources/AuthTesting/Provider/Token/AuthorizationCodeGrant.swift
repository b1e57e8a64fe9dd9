// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The request and the sign-in that an authorization code stands for.
///
/// [RFC 6749, 4.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2).
struct AuthorizationCode: Sendable {
    let request: CheckedAuthorizationRequest
    let user: InProcessProvider.User
    let signedIn: Date
    let expiration: Date
    /// The family that the code was exchanged for; nil until then.
    var family: Int?
}

/// [RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3).
extension ProviderState {
    /// Exchanges an authorization code for tokens.
    mutating func redeemCode(_ ask: TokenRequest) throws(EndpointError) -> [String: JSONValue] {
        let text = try ask.required("code")
        guard let code = codes[text], code.request.clientID == ask.client.id else {
            throw .invalidGrant("The code is unknown.")
        }
        if let family = code.family {
            // RFC 6749, 4.1.2: a second use means that one of the two parties stole the code.
            end(family, because: .codeReused)
            throw .invalidGrant("The code was used before.")
        }
        guard ask.exchange.date < code.expiration else {
            codes[text] = nil
            throw .invalidGrant("The code has expired.")
        }
        let request = code.request
        guard try ask.required("redirect_uri") == request.redirectURI else {
            throw .invalidGrant("The redirect URI is not the authorization request's.")
        }
        let verifier = try ask.required("code_verifier")
        // RFC 7636, 4.6.
        guard (43...128).contains(verifier.utf8.count),
            Base64URL.encode(SHA256.hash(data: Data(verifier.utf8))) == request.codeChallenge
        else { throw .invalidGrant("The code verifier does not match the code challenge.") }
        guard request.dpopThumbprint.map({ $0 == ask.dpopThumbprint }) ?? true else {
            throw .invalidGrant("The code is bound to another DPoP key.")
        }
        var resources = try resources(ask.form)
        guard Set(resources).isSubset(of: request.resources) else {
            throw EndpointError("invalid_target", "A resource was not authorized.")
        }
        if resources.isEmpty { resources = request.resources }
        let family = begin(ask, code.user, request.scope, signedIn: code.signedIn, resources: resources, from: request)
        codes[text]?.family = family
        return try issue(family, ask, nonce: request.nonce)
    }
}
