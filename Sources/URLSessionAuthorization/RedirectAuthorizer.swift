// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
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
final class RedirectAuthorizer: NSObject, URLSessionTaskDelegate {
    private let state: Mutex<(authorizer: RequestAuthorizer, hasChangedMethod: Bool)>
    /// The caller that waits for the response, on Linux.
    let waiter = Mutex<CheckedContinuation<(Data, URLResponse), any Error>?>(nil)

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
        var next = authorizer.redirected(request, by: response)
        // The client adds the fields of its configuration to each request, whatever its origin.
        if next?.value(forHTTPHeaderField: "Authorization") == nil, session.configuration.addsSensitiveFields {
            next = nil
        }
        let isOther = next != nil && next?.httpMethod != task.originalRequest?.httpMethod
        state.withLock { state in
            state.authorizer = authorizer
            state.hasChangedMethod = state.hasChangedMethod || isOther
        }
        completionHandler(next)
    }
}

extension URLSessionConfiguration {
    /// Whether the fields that are added to each request include one that may be a credential.
    fileprivate var addsSensitiveFields: Bool {
        httpAdditionalHeaders?.keys.contains { name in
            (name as? String).flatMap { HTTPField.Name($0) }.map(SensitiveHeaderFields.known.contains) ?? false
        } ?? false
    }
}
