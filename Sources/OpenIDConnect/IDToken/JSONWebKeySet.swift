// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The keys that a provider publishes, without those that can't verify signatures here.
///
/// [RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5).
package struct JSONWebKeySet: Sendable, Equatable {
    let keys: [JSONWebKey]

    /// The maximum number of keys, more than any provider publishes.
    private static let maximumCount = 256

    /// Reads a key set; returns nil if it is malformed or has too many keys.
    ///
    /// - Parameter bytes: The key set. Untrusted.
    package init?(_ bytes: [UInt8]) {
        guard let document = ProviderDocument(bytes), let all = document["keys"]?.array,
            all.count <= Self.maximumCount
        else { return nil }
        keys = all.compactMap { $0.object.flatMap { JSONWebKey($0) } }
    }

    init(keys: [JSONWebKey]) {
        self.keys = keys
    }

    /// Returns the keys that may have signed a token, according to its header.
    ///
    /// Selects by `kty`, `crv`, `use`, `key_ops`, `alg` and, if the token names one, `kid`.
    ///
    /// - Parameter id: The token's `kid`; nil if the token has no `kid`.
    func candidates(for algorithm: SignatureAlgorithm, id: String?) -> [JSONWebKey] {
        keys.filter { key in key.fits(algorithm) && (id.map { key.isNamed($0) } ?? true) }
    }
}
