// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization

extension RedirectAuthorizer {
    /// Loads a request.
    ///
    /// If the task is cancelled, it ends at once, and the request ends by itself: the client of this platform may crash
    /// if a running request is cancelled.
    func data(for request: URLRequest, of session: URLSession) async throws -> (Data, URLResponse) {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = loading.withLock { loading in
                    if !loading.isCancelled { loading.continuation = continuation }
                    return loading.isCancelled
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                SharedLoader.of(session).load(request, for: self)
            }
        } onCancel: {
            let continuation = loading.withLock { loading in
                loading.isCancelled = true
                defer { loading.continuation = nil }
                return loading.continuation
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    func receive(_ response: URLResponse) {
        // Of several, the last one counts: this client delivers interim responses too.
        loading.withLock { $0.response = response }
    }

    func receive(_ data: Data) {
        loading.withLock { $0.data.append(data) }
    }

    func complete(_ error: (any Error)?) {
        let (ended, continuation) = loading.withLock { loading in
            defer { loading.continuation = nil }
            return (loading, loading.continuation)
        }
        if let response = ended.response, error == nil {
            continuation?.resume(returning: (ended.data, response))
        } else {
            continuation?.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }

    /// Whether a redirected request has the body that it should have.
    ///
    /// This platform drops the body of each redirect that it follows.
    func keepsBody(of task: URLSessionTask, in request: URLRequest) -> Bool {
        let hasBody = task.originalRequest?.httpBody != nil || task.originalRequest?.httpBodyStream != nil
        return !hasBody || ["GET", "HEAD"].contains(request.httpMethod)
    }
}
#endif
