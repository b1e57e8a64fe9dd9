// SPDX-License-Identifier: Apache-2.0

import APIClient
import Synchronization
import Testing

/// A series of responses that fails a test if it makes one request too many.
final class ResponseSequence: Sendable {
    private let left: Mutex<[Result<TransportResponse, TransportError>]>

    init(_ responses: [TransportResponse]) {
        left = Mutex(responses.map { .success($0) })
    }

    init(_ responses: [Result<TransportResponse, TransportError>]) {
        left = Mutex(responses)
    }

    func next() throws -> TransportResponse {
        let response = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return try #require(response, "one request too many").get()
    }
}
