// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The number of responses of each route with each status since the start.
public final class BackendStatistics: Sendable {
    /// The key of a count: a route and a status.
    private struct Answer: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private let counts = Mutex<[Answer: Int]>([:])

    init() {}

    /// Returns the number of responses of a route.
    ///
    /// - Parameters:
    ///   - method: The HTTP method, in capitals.
    ///   - route: The path as written in the contract, such as `/api/v1/auth/refresh`.
    ///   - status: The status to count, or nil for all.
    /// - Returns: The number of responses.
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

    /// Counts a response; `route` is one of the backend's own, so that clients can't make the table grow.
    func record(method: String, route: String, status: Int) {
        counts.withLock { $0[Answer(method: method, route: route, status: status), default: 0] += 1 }
    }
}
