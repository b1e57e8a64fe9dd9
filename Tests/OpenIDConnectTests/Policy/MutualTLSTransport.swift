// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Synchronization

/// A connection to a provider.
///
/// The provider has a second address for each endpoint, below `/mtls`.
final class MutualTLSTransport: Transport {
    private let base: InProcessProvider
    private let sent = Mutex<[String]>([])

    init(_ base: InProcessProvider) {
        self.base = base
    }

    /// The paths of the requests, in order.
    var paths: [String] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        let path = request.path
        sent.withLock { $0.append(path) }
        if path.hasPrefix("/mtls/") { request.head.path = String(path.dropFirst("/mtls".count)) }
        return try await base.send(request)
    }
}
