#if !canImport(Darwin) && !AsyncHTTPClient
import Foundation
import FoundationNetworking

/// A session for each request, and with it a connection.
///
/// libcurl sends a request again by itself, a POST too, where a connection that was kept ends without an answer to it. A
/// refresh that is sent twice behind the session's back is a token that is used twice.
final class URLSessions: Sendable {
    private let configuration: URLSessionConfiguration

    init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
    }

    /// Sends a request.
    ///
    /// - Returns: What lets go of it, where it still goes on.
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
