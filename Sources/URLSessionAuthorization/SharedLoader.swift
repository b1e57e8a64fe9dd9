// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization

/// The sessions that send requests in place of an app's own sessions.
///
/// Each has the configuration of an app's session, and all requests of that session share it and its connections. Its
/// handlers run on the thread of the event, as those of `URLSession.data(for:)` do. A session with an ordinary queue
/// changes threads first, which takes about a twentieth of a short request's time.
enum SharedLoader {
    private struct Entry {
        weak var original: URLSession?
        let loader: URLSession
    }

    /// A queue that runs what it is given at once, on the caller's thread.
    ///
    /// That thread has the client's own queue: a handler must not suspend, resume or cancel a task, which would wait for
    /// that queue. The client calls no other function of the queue. Sendable without a check, because it adds no state.
    private final class DirectQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }

    private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// Returns the loader of an app's session.
    ///
    /// It ends with the next call of this function after the app has released that session.
    static func of(_ original: URLSession) -> URLSession {
        entries.withLock { entries in
            for (id, entry) in entries where entry.original == nil {
                entry.loader.finishTasksAndInvalidate()
                entries[id] = nil
            }
            let id = ObjectIdentifier(original)
            if let entry = entries[id] { return entry.loader }
            let loader = URLSession(configuration: original.configuration, delegate: nil, delegateQueue: DirectQueue())
            entries[id] = Entry(original: original, loader: loader)
            return loader
        }
    }
}
#endif
