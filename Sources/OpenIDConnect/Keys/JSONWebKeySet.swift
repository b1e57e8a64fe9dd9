import AuthCore

/// The keys that a provider publishes, those left out that are of no use here.
///
/// [RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5).
package struct JSONWebKeySet: Sendable {
    let keys: [JSONWebKey]

    /// More keys than any provider has.
    private static let maximumCount = 256

    /// Reads a key set; nil where it is none.
    ///
    /// - Parameter bytes: From outside.
    package init?(_ bytes: [UInt8]) {
        guard let document = ProviderDocument(bytes), let all = document["keys"]?.array,
            all.count <= Self.maximumCount
        else { return nil }
        keys = all.compactMap { $0.object.flatMap { JSONWebKey($0) } }
    }

    init(keys: [JSONWebKey]) {
        self.keys = keys
    }

    /// The keys that a token may be signed with, by its header.
    ///
    /// By `kty`, `crv`, `use`, `key_ops`, `alg` and, where the token names one, `kid`.
    ///
    /// - Parameters:
    ///   - algorithm: The token's.
    ///   - id: The `kid` of the token, where it has one.
    /// - Returns: The keys; one where all is well.
    func candidates(for algorithm: SignatureAlgorithm, id: String?) -> [JSONWebKey] {
        keys.filter { key in key.fits(algorithm) && (id.map { key.isNamed($0) } ?? true) }
    }
}
