// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Synchronization

/// A backend of the contract `tokenPair` that responds at once and counts the refreshes of every second.
final class TallyingServer: Transport {
    private struct State {
        var issued = 0
        var load = LoadCurve()
    }

    private let lifetime: Int
    private let clock: TestClock
    private let start: TestClock.Instant
    private let state = Mutex(State())

    init(lifetime: Int, clock: TestClock) {
        self.lifetime = lifetime
        self.clock = clock
        start = clock.now
    }

    /// The number of seconds since the installs signed in.
    var second: Int { Int(start.duration(to: clock.now).components.seconds) }

    /// Returns the load since the last call.
    func take() -> LoadCurve {
        state.withLock { state in
            defer { state.load = LoadCurve() }
            return state.load
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let now = second
        let isRefresh = request.head.path == "/api/v1/auth/refresh"
        let number = state.withLock { state in
            if isRefresh { state.load.refreshes[now, default: 0] += 1 }
            state.issued += 1
            return state.issued
        }
        return .json(
            """
            {"accessToken": "access-\(number)", "refreshToken": "refresh-\(number)", "tokenType": "Bearer", \
            "expiresIn": \(lifetime)}
            """
        )
    }
}
