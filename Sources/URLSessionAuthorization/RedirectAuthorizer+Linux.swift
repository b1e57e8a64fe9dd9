// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Dispatch
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
            let loader = SharedLoader.of(session)
            return try await withCheckedThrowingContinuation { continuation in
                let isCancelled = waiter.withLock { waiter in
                    // Cancelled before this point: the handler below has run and will not run again.
                    if Task.isCancelled { return true }
                    waiter = continuation
                    return false
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                let task = loader.dataTask(with: request) { data, response, error in
                    if let data, let response, error == nil {
                        self.end(.success((data, response)))
                    } else {
                        self.end(.failure(error ?? URLError(.badServerResponse)))
                    }
                }
                // The delegate that `data(for:delegate:)` takes is not asked about redirects on this platform.
                task.delegate = self
                task.resume()
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// Returns a 401 whose challenges include `Basic`, without its body.
    ///
    /// This platform asks for a credential then. Without this function, or with the default for it, a client of Swift
    /// 6.3.1 never ends the request, or sends it again with a stored password in place of the token.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let response = challenge.failureResponse ?? task.response
        end(response.map { .success((Data(), $0)) } ?? .failure(URLError(.userAuthenticationRequired)))
        // The transfer is over. Cancelled on this thread, the task would wait for itself.
        DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }

    private func end(_ result: Result<(Data, URLResponse), any Error>) {
        waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }?.resume(with: result)
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
