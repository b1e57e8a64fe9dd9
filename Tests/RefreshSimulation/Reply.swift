// SPDX-License-Identifier: Apache-2.0

import APIClient
import Synchronization

/// The response to a request, awaited by one task that can be cancelled.
final class Reply: Sendable {
    private enum Content {
        case nothing
        case awaited(CheckedContinuation<TransportResponse, any Error>)
        case here(Result<TransportResponse, any Error>)
    }

    private let content = Mutex(Content.nothing)

    func finish(_ result: Result<TransportResponse, any Error>) {
        let waiter = content.withLock { content -> CheckedContinuation<TransportResponse, any Error>? in
            switch content {
            case .nothing:
                content = .here(result)
                return nil
            case .awaited(let waiter):
                content = .here(result)
                return waiter
            case .here:
                return nil
            }
        }
        waiter?.resume(with: result)
    }

    func value() async throws -> TransportResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = content.withLock { content -> Result<TransportResponse, any Error>? in
                    if case .here(let result) = content { return result }
                    content = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }
}
