// SPDX-License-Identifier: Apache-2.0

import APIClient
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// The delegate of one attempt, which keeps the credential within its origin if the attempt is redirected.
///
/// Its part for each platform loads the request.
final class RedirectAuthorizer: NSObject, URLSessionDataDelegate {
    private let state: Mutex<(authorizer: RequestAuthorizer, hasChangedMethod: Bool)>
    /// The part of a response that has arrived, on Linux.
    let loading = Mutex(LoadingResponse())

    init(_ authorizer: RequestAuthorizer) {
        state = Mutex((authorizer, false))
    }

    /// The authorizer, as the redirects have left it.
    var authorizer: RequestAuthorizer { state.withLock { $0.authorizer } }

    /// Whether a redirect has changed the request's method: the original request was carried out, and must not be sent
    /// again.
    var hasChangedMethod: Bool { state.withLock { $0.hasChangedMethod } }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard keepsBody(of: task, in: request) else { return completionHandler(nil) }
        // Alone: a task is redirected one step at a time.
        var authorizer = authorizer
        let next = authorizer.redirected(request, by: response)
        let isOther = next != nil && next?.httpMethod != task.originalRequest?.httpMethod
        state.withLock { state in
            state.authorizer = authorizer
            state.hasChangedMethod = state.hasChangedMethod || isOther
        }
        completionHandler(next)
    }
}

/// A response that arrives in parts.
struct LoadingResponse {
    var continuation: CheckedContinuation<(Data, URLResponse), any Error>?
    var isCancelled = false
    var data = Data()
    var response: URLResponse?
}
