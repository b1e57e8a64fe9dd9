import AuthCore
import HTTPTypes

/// The keys of a provider: those that it signs with, and old ones that are still published.
///
/// [RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5).
struct KeySet: Sendable {
    /// One for each algorithm.
    private var current: [SigningKey]
    private var old: [SigningKey] = []

    init(_ algorithms: [InProcessProvider.SigningAlgorithm]) {
        current = algorithms.compactMap { SigningKey($0) }
    }

    /// These keys in the place of others.
    func following(_ others: KeySet, keepingOld: Bool) -> KeySet {
        var result = self
        result.old = keepingOld ? others.current + others.old : []
        return result
    }

    /// The key to sign with; the first one where no algorithm is asked for.
    func key(_ algorithm: InProcessProvider.SigningAlgorithm?) throws(OAuthRefusal) -> SigningKey {
        let key = algorithm.map { algorithm in current.first { $0.algorithm == algorithm } } ?? current.first
        guard let key else { throw OAuthRefusal("server_error", "There is no key to sign with.", status: 500) }
        return key
    }

    /// What the provider says it signs with.
    var algorithms: [String] { current.map(\.algorithm.rawValue) }

    /// The key set as it is published.
    var members: [String: JSONValue] { ["keys": .array((current + old).map { .object($0.jwk) })] }
}

extension ProviderState {
    func jwks(_ exchange: Exchange) -> ProviderAnswer {
        guard exchange.request.method == .get else { return ProviderAnswer(status: 405) }
        return ProviderAnswer(keys.members)
    }
}
