// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// The keys of a provider: its signing keys, and old ones that are still published.
///
/// [RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5).
struct KeySet: Sendable {
    /// The signing keys, one for each algorithm.
    private var current: [SigningKey]
    private var old: [SigningKey] = []

    init(_ algorithms: [InProcessProvider.SigningAlgorithm]) {
        current = algorithms.compactMap { SigningKey($0) }
    }

    /// Returns these keys as the replacement of others.
    func following(_ others: KeySet, keepingOld: Bool) -> KeySet {
        var result = self
        result.old = keepingOld ? others.current + others.old : []
        return result
    }

    /// Returns the key to sign with; the first one if no algorithm is requested.
    func key(_ algorithm: InProcessProvider.SigningAlgorithm?) throws(EndpointError) -> SigningKey {
        let key = algorithm.map { algorithm in current.first { $0.algorithm == algorithm } } ?? current.first
        guard let key else { throw EndpointError("server_error", "There is no key to sign with.", status: 500) }
        return key
    }

    /// The algorithms that the provider announces.
    var algorithms: [String] { current.map(\.algorithm.rawValue) }

    /// The published key set.
    var members: [String: JSONValue] { ["keys": .array((current + old).map { .object($0.jwk) })] }
}

extension ProviderState {
    func jwks(_ exchange: Exchange) -> EndpointResponse {
        guard exchange.request.method == .get else { return EndpointResponse(status: 405) }
        return EndpointResponse(keys.members)
    }
}
