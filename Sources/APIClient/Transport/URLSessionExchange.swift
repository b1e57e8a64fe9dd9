// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || !AsyncHTTPClient
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// A request of a `URLSession` and the response to it.
final class URLSessionExchange: Sendable {
    /// The limits on the response's body.
    struct Limit: Sendable {
        /// The limit of the whole body, in bytes.
        let total: Int
        /// The limit of the part that was not read yet, in bytes.
        let unread: Int
    }

    /// The incoming response.
    let incoming = IncomingResponse()
    private let limit: Limit
    private let count = Mutex(0)

    init(_ limit: Limit) {
        self.limit = limit
    }

    /// Receives the head.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return incoming.abandon(TransportError(.failed, mayHaveReachedServer: true))
        }
        // An interim response, which Linux's client delivers too. The final one is still to come.
        guard response.statusCode >= 200 else { return }
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else {
                continue
            }
            fields.append(HTTPField(name: name, value: value))
        }
        incoming.heads.push(HTTPResponse(status: .init(code: response.statusCode), headerFields: fields))
    }

    /// Receives a part of the body.
    ///
    /// - Returns: Whether more is wanted.
    func receive(_ data: Data) -> Bool {
        let total = count.withLock { count in
            count += data.count
            return count
        }
        guard total <= limit.total, incoming.chunks.waiting(\.count) <= limit.unread - data.count else {
            incoming.abandon(TransportError(.responseTooLarge, mayHaveReachedServer: true))
            return false
        }
        incoming.chunks.push(Array(data))
        return true
    }

    /// Receives the end.
    func end(_ error: (any Error)?) {
        if let error { incoming.fail(URLSessionErrorMapping.transportError(for: error)) } else { incoming.finish() }
    }
}

/// The requests of a session, by the identifier of their task.
///
/// It is the session's delegate, because Linux does not call a task's delegate.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
    private let running = Mutex<[Int: URLSessionExchange]>([:])

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        running.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Discards everything that a task still delivers, and cancels the task on Apple platforms.
    func leave(_ task: URLSessionTask) {
        let wasRunning = running.withLock { $0.removeValue(forKey: task.taskIdentifier) != nil }
        #if canImport(Darwin)
        if wasRunning { task.cancel() }
        #else
        // If the task is cancelled, the client of this platform may crash.
        _ = wasRunning
        #endif
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        running.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let exchange = exchange(of: dataTask), !exchange.receive(data) else { return }
        leave(dataTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        running.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
    }

    #if canImport(FoundationNetworking)
    /// Ends a 401 whose challenges include `Basic`, for which Linux's client asks for a credential.
    ///
    /// By default, the client of Swift 6.3.1 never ends the request, or sends it again with a stored password.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        running.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(nil)
        // The transfer is over, so that this can't crash.
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
    #endif

    /// Refuses every redirect, so that the 3xx response itself is returned.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
#endif
