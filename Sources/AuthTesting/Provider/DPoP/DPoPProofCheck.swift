// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 9449, 4.3](https://www.rfc-editor.org/rfc/rfc9449#section-4.3).
extension ProviderState {
    /// Returns the thumbprint of the key of a request's proof; nil if the proof is missing and not required.
    mutating func dpopThumbprint(
        _ exchange: Exchange,
        for client: InProcessProvider.Client,
        isRequired: Bool
    ) throws(OAuthError) -> String? {
        guard let proof = try proof(exchange) else {
            guard !isRequired else { throw ReceivedDPoPProof.refusal("It is missing.") }
            return nil
        }
        return proof.key
    }

    /// Returns the request's proof, compared with the request.
    mutating func proof(_ exchange: Exchange) throws(OAuthError) -> ReceivedDPoPProof? {
        let texts = DPoPServer.field.map { exchange.request.fields[values: $0] } ?? []
        guard let text = texts.first else { return nil }
        guard texts.count == 1 else { throw ReceivedDPoPProof.refusal("It is repeated.") }
        let proof = try ReceivedDPoPProof(text)
        guard proof.method == exchange.request.method.rawValue, proof.url == exchange.request.url else {
            throw ReceivedDPoPProof.refusal("It is for another request.")
        }
        // Before the time: a client without a nonce may also have a wrong clock.
        if configuration.requiresDPoPNonce, proof.nonce != dpop.nonce {
            throw OAuthError("use_dpop_nonce", "The DPoP proof must carry the provider's nonce.")
        }
        let age = Duration.seconds(exchange.date.timeIntervalSince(proof.issued))
        guard abs(age / .seconds(1)) <= configuration.dpopProofLifetime / .seconds(1) else {
            throw ReceivedDPoPProof.refusal("It is too old, or from the future.")
        }
        guard dpop.take(proof.id, by: proof.key) else { throw ReceivedDPoPProof.refusal("It was used before.") }
        return proof
    }

    /// Whether a proof is for an access token: RFC 9449, 4.3, point 12.
    func isProof(_ proof: ReceivedDPoPProof, for accessToken: String) -> Bool {
        proof.accessTokenHash == Base64URL.encode(SHA256.hash(data: Data(accessToken.utf8)))
    }
}
