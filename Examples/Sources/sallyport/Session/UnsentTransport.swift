// SPDX-License-Identifier: Apache-2.0

import APIClient

/// The transport of a command that lacks the session's client certificate: it sends nothing.
struct UnsentTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportError(.connectionRefused, mayHaveReachedServer: false)
    }
}
