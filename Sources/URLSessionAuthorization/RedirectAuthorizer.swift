import APIClient
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// The delegate of one attempt, which keeps the credential within its origin if the attempt is redirected.
final class RedirectAuthorizer: NSObject, URLSessionDataDelegate {
    private let state: Mutex<RequestAuthorizer>
    #if canImport(FoundationNetworking)
    private let loading = Mutex(Loading())
    #endif

    init(_ authorizer: RequestAuthorizer) {
        state = Mutex(authorizer)
    }

    /// The authorizer, as the redirects have left it.
    var authorizer: RequestAuthorizer { state.withLock { $0 } }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // This platform drops the body of a redirect that keeps it.
        let hasBody = task.originalRequest?.httpBody != nil || task.originalRequest?.httpBodyStream != nil
        if hasBody, response.statusCode == 307 || response.statusCode == 308 { return completionHandler(nil) }
        #endif
        completionHandler(state.withLock { $0.redirected(request) })
    }
}

#if canImport(FoundationNetworking)
extension RedirectAuthorizer {
    /// The part of a response that has arrived.
    private struct Loading {
        var continuation: CheckedContinuation<(Data, URLResponse), any Error>?
        var isCancelled = false
        var data = Data()
        var response: URLResponse?
    }

    /// Loads a request.
    ///
    /// If the task is cancelled, it ends at once, and the request ends by itself: the client of this platform may crash
    /// if a running request is cancelled.
    func data(for request: URLRequest, of session: URLSession) async throws -> (Data, URLResponse) {
        let session = URLSession(configuration: session.configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = loading.withLock { loading in
                    if !loading.isCancelled { loading.continuation = continuation }
                    return loading.isCancelled
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                session.dataTask(with: request).resume()
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

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // Of several, the last one counts: this client delivers interim responses too.
        loading.withLock { $0.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        loading.withLock { $0.data.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
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
}
#else
extension RedirectAuthorizer {
    /// Loads a request.
    func data(for request: URLRequest, of session: URLSession) async throws -> (Data, URLResponse) {
        try await session.data(for: request, delegate: self)
    }
}
#endif
