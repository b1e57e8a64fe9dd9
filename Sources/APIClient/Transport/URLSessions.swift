// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

/// The one session of a transport, which carries all of its requests.
final class URLSessions: Sendable {
    private let session: URLSession
    private let exchanges = URLSessionExchanges()

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request.
    ///
    /// - Returns: A function that cancels the request if it is still running.
    func start(_ request: URLRequest, _ exchange: URLSessionExchange) -> () -> Void {
        let task = session.dataTask(with: request)
        exchanges.add(exchange, for: task)
        task.resume()
        return { [exchanges] in exchanges.leave(task) }
    }
}
#endif
