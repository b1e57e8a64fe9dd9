// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) && !AsyncHTTPClient
import Foundation
import FoundationNetworking

/// The sessions of a transport: one session, and so one connection, for each request.
///
/// libcurl sends a request again by itself, even a POST, if a kept connection ends without a response. A refresh that
/// is sent twice behind the session's back uses a refresh token twice.
final class URLSessions: Sendable {
    private let configuration: URLSessionConfiguration

    init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
    }

    /// Sends a request.
    ///
    /// - Returns: A function that discards the rest of the request.
    func start(_ request: URLRequest, _ exchange: URLSessionExchange) -> () -> Void {
        let exchanges = URLSessionExchanges()
        let session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        let task = session.dataTask(with: request)
        exchanges.add(exchange, for: task)
        task.resume()
        session.finishTasksAndInvalidate()
        return { exchanges.leave(task) }
    }
}
#endif
