// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 7523, 3](https://www.rfc-editor.org/rfc/rfc7523#section-3).
extension ProviderState {
    /// Checks a client's assertion: ES256, with the issuer or the token endpoint as its audience.
    ///
    /// The client's own one is accepted once, another program's until it expires.
    mutating func checkAssertion(
        _ form: Parameters,
        of client: InProcessProvider.Client,
        at date: Date
    ) throws(OAuthError) {
        guard form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
            throw Self.refusal(false, "The type of the client's assertion is unknown.")
        }
        if let identity = client.identity {
            guard let claims = trustedClaims(form["client_assertion"], at: date), claims.issuer == identity.issuer,
                claims.subject == identity.subject
            else { throw Self.refusal(false, "The client's identity token is not accepted.") }
            return
        }
        guard let text = form["client_assertion"], let token = try? UnverifiedJWT(text),
            token.header.algorithm == "ES256", let pem = client.assertionKey,
            let key = try? P256.Signing.PublicKey(pemRepresentation: pem), Self.isSigned(text, by: key)
        else { throw Self.refusal(false, "The client's assertion is not signed with its key.") }
        let claims = token.claims
        guard claims.issuer == client.id, claims.subject == client.id,
            claims.audience == [address.issuer] || claims.audience == [address.url(.token)]
        else { throw Self.refusal(false, "The client's assertion is for another client or server.") }
        guard let end = claims.expiration, let begin = claims.issuedAt, begin <= date.adding(.seconds(5)), date < end
        else { throw Self.refusal(false, "The client's assertion is not valid now.") }
        guard let id = claims.all["jti"]?.string, assertions.insert("\(client.id) \(id)").inserted else {
            throw Self.refusal(false, "The client's assertion was used before.")
        }
    }

    static func isSigned(_ text: String, by key: P256.Signing.PublicKey) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[2].utf8),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
        else { return false }
        return key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    }
}
