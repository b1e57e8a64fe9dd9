// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// The DPoP state of a provider.
///
/// [RFC 9449, 8](https://www.rfc-editor.org/rfc/rfc9449#section-8).
struct DPoPServer: Sendable {
    static let field = HTTPField.Name("DPoP")
    static let nonceField = HTTPField.Name("DPoP-Nonce")

    /// The only nonce that is currently accepted.
    private(set) var nonce = Base64URL.encode(RandomBytes.make(16))
    /// The accepted proofs, by key and `jti`.
    private var proofs: Set<String> = []

    mutating func rotateNonce() { nonce = Base64URL.encode(RandomBytes.make(16)) }

    /// Records a proof; returns false if it was accepted before.
    mutating func take(_ id: String, by key: String) -> Bool { proofs.insert("\(key) \(id)").inserted }
}

extension ProviderState {
    /// Adds the next nonce to every response if nonces are required (RFC 9449, 8.2).
    func withNonce(_ response: EndpointResponse) -> EndpointResponse {
        guard configuration.requiresDPoPNonce, let field = DPoPServer.nonceField else { return response }
        var response = response
        response.fields[field] = dpop.nonce
        return response
    }
}
