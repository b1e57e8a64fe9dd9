// SPDX-License-Identifier: Apache-2.0

import APIClient
import BackendTestSupport
import HTTPTypes
import Synchronization

/// A real transport that reports when a refresh is sent and when its response arrives.
final class WatchedTransport: Transport {
    private let real: CurlTransport
    private let count = Mutex(0)

    init() throws {
        real = try CurlTransport(settings: TransportSettings())
    }

    /// The number of successful refreshes.
    var refreshes: Int { count.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard request.head.path == "/api/v1/auth/refresh" else { return try await real.send(request) }
        Output.say(.init(.sending))
        let response = try await real.send(request)
        Output.say(.init(.answered))
        if response.head.status.kind == .successful { count.withLock { $0 += 1 } }
        return response
    }
}
