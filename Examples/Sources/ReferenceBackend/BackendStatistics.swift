internal import Synchronization

/// How often each route answered with each status since the start.
public final class BackendStatistics: Sendable {
    /// One route's answers of one status.
    private struct Answer: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private let counts = Mutex<[Answer: Int]>([:])

    init() {}

    /// How many requests a route has answered.
    ///
    /// - Parameters:
    ///   - method: The HTTP method, in capitals.
    ///   - route: The path as the contract writes it, such as `/api/v1/auth/refresh`.
    ///   - status: The status to count; all of them when `nil`.
    /// - Returns: The number of answers.
    public func count(_ method: String, _ route: String, status: Int? = nil) -> Int {
        counts.withLock { counts in
            counts.reduce(0) { total, entry in
                let matches =
                    entry.key.method == method && entry.key.route == route
                    && (status == nil || entry.key.status == status)
                return matches ? total + entry.value : total
            }
        }
    }

    /// Counts an answer; `route` is one of the backend's own, so that strangers can't make the table grow.
    func record(method: String, route: String, status: Int) {
        counts.withLock { $0[Answer(method: method, route: route, status: status), default: 0] += 1 }
    }
}
