// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes

/// A transport that responds at once, to measure only the client's own work.
struct ImmediateTransport: Transport {
    private let answer = TransportResponse(
        head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
        body: [UInt8](repeating: UInt8(ascii: " "), count: 1_024)
    )

    func send(_ request: TransportRequest) async throws -> TransportResponse { answer }
}
