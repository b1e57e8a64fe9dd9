// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A DPoP proof with valid form and signature, whose claims are not yet compared with the request.
///
/// [RFC 9449, 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2).
struct ReceivedDPoPProof: Sendable {
    static let field = HTTPField.Name("DPoP")
    static let nonceField = HTTPField.Name("DPoP-Nonce")

    /// The thumbprint of the proof's key: [RFC 7638, 3](https://www.rfc-editor.org/rfc/rfc7638#section-3).
    let key: String
    let id: String
    let method: String
    let url: String
    let issued: Date
    let nonce: String?
    private let accessTokenHash: String?

    init(_ text: String) throws(EndpointError) {
        guard let token = try? UnverifiedJWT(text), token.header.type == "dpop+jwt",
            token.header.algorithm == "ES256", let jwk = token.header.parameters["jwk"]?.object
        else { throw Self.refusal("It is not a JWT of type dpop+jwt, signed with ES256, with its key in its header.") }
        // RFC 9449, 4.3, point 7.
        guard jwk["kty"]?.string == "EC", jwk["crv"]?.string == "P-256", jwk["d"] == nil,
            let x = jwk["x"]?.string, let y = jwk["y"]?.string
        else { throw Self.refusal("Its key is not a public P-256 key.") }
        guard let first = Base64URL.decode(x.utf8), let second = Base64URL.decode(y.utf8),
            first.count == 32, second.count == 32,
            let publicKey = try? P256.Signing.PublicKey(rawRepresentation: first + second), publicKey.hasSigned(text)
        else { throw Self.refusal("Its signature is invalid.") }
        let claims = token.claims.all
        guard let id = claims["jti"]?.string, let method = claims["htm"]?.string, let url = claims["htu"]?.string,
            let issued = token.claims.issuedAt
        else { throw Self.refusal("A claim is missing.") }
        key = Base64URL.encode(
            SHA256.hash(data: Data("{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"\(x)\",\"y\":\"\(y)\"}".utf8))
        )
        (self.id, self.method, self.url, self.issued) = (id, method, url, issued)
        nonce = claims["nonce"]?.string
        accessTokenHash = claims["ath"]?.string
    }

    /// Whether the proof is for an access token: RFC 9449, 4.3, point 12.
    func isProof(for accessToken: String) -> Bool {
        accessTokenHash == Base64URL.encode(SHA256.hash(data: Data(accessToken.utf8)))
    }

    static func refusal(_ description: String) -> EndpointError {
        EndpointError("invalid_dpop_proof", "The DPoP proof is invalid. \(description)")
    }
}

/// [RFC 9449, 4.3](https://www.rfc-editor.org/rfc/rfc9449#section-4.3).
extension ProviderState {
    /// Returns the request's proof, compared with the request; nil if the request has none.
    mutating func proof(_ exchange: Exchange) throws(EndpointError) -> ReceivedDPoPProof? {
        let texts = ReceivedDPoPProof.field.map { exchange.request.fields[values: $0] } ?? []
        guard let text = texts.first else { return nil }
        guard texts.count == 1 else { throw ReceivedDPoPProof.refusal("It is repeated.") }
        let proof = try ReceivedDPoPProof(text)
        guard proof.method == exchange.request.method.rawValue, proof.url == exchange.request.url else {
            throw ReceivedDPoPProof.refusal("It is for another request.")
        }
        // Before the time: a client without a nonce may also have a wrong clock.
        if configuration.requiresDPoPNonce, proof.nonce != dpopNonce {
            throw EndpointError("use_dpop_nonce", "The DPoP proof must carry the provider's nonce.")
        }
        let age = abs(exchange.date.timeIntervalSince(proof.issued))
        guard age <= configuration.dpopProofLifetime / .seconds(1) else {
            throw ReceivedDPoPProof.refusal("It is too old, or from the future.")
        }
        guard dpopProofs.insert("\(proof.key) \(proof.id)").inserted else {
            throw ReceivedDPoPProof.refusal("It was used before.")
        }
        return proof
    }

    /// Adds the next nonce to every response if nonces are required (RFC 9449, 8.2).
    func withNonce(_ response: EndpointResponse) -> EndpointResponse {
        guard configuration.requiresDPoPNonce, let field = ReceivedDPoPProof.nonceField else { return response }
        var response = response
        response.fields[field] = dpopNonce
        return response
    }
}
