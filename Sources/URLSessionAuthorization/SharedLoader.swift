// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization

/// The session that sends an app's requests in place of the app's own session.
///
/// On this platform only a session's delegate sees redirects, and a session gets its delegate when it is created. All
/// requests of an app's session share one of these sessions, and so its connections.
struct SharedLoader: Sendable {
    private let session: URLSession
    private let events = TaskEvents()

    private struct Entry {
        weak var original: URLSession?
        let loader: SharedLoader
    }

    private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    private init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: events, delegateQueue: nil)
    }

    /// Returns the loader of an app's session.
    ///
    /// It ends after the app has released that session.
    static func of(_ original: URLSession) -> SharedLoader {
        entries.withLock { entries in
            for (id, entry) in entries where entry.original == nil {
                entry.loader.session.finishTasksAndInvalidate()
                entries[id] = nil
            }
            let id = ObjectIdentifier(original)
            let entry = entries[id] ?? Entry(original: original, loader: SharedLoader(original.configuration))
            entries[id] = entry
            return entry.loader
        }
    }

    /// Begins to load a request, whose events its authorizer gets.
    func load(_ request: URLRequest, for authorizer: RedirectAuthorizer) {
        let task = session.dataTask(with: request)
        events.add(authorizer, of: task)
        task.resume()
    }
}

/// The delegate of a session, which passes the events of each task to the task's authorizer.
private final class TaskEvents: NSObject, URLSessionDataDelegate {
    private let authorizers = Mutex<[Int: RedirectAuthorizer]>([:])

    func add(_ authorizer: RedirectAuthorizer, of task: URLSessionTask) {
        authorizers.withLock { $0[task.taskIdentifier] = authorizer }
    }

    private func authorizer(of task: URLSessionTask) -> RedirectAuthorizer? {
        authorizers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let authorizer = authorizer(of: task) else { return completionHandler(nil) }
        authorizer.urlSession(
            session,
            task: task,
            willPerformHTTPRedirection: response,
            newRequest: request,
            completionHandler: completionHandler
        )
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        authorizer(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        authorizer(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        authorizers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
    }
}
#endif
