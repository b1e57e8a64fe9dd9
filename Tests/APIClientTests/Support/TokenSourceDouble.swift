// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Synchronization

/// A token source that a test controls, and that records rejected tokens and refreshes.
final class TokenSourceDouble: AccessTokenSource {
    struct Refused: Error, Equatable {}

    private struct State {
        var current: AccessToken?
        var afterRefresh: AccessToken?
        var rejected: [AccessToken] = []
        var refreshes = 0
    }

    private let state: Mutex<State>

    // If `current` is nil, no user is signed in. If `afterRefresh` is nil, a refresh is refused.
    init(current: String?, afterRefresh: String? = nil) throws {
        state = Mutex(
            State(
                current: try current.map { try AccessToken($0) },
                afterRefresh: try afterRefresh.map { try AccessToken($0) }
            )
        )
    }

    var rejected: [String] { state.withLock { $0.rejected.map(\.unredacted) } }
    var refreshes: Int { state.withLock { $0.refreshes } }

    func rotate(to token: AccessToken) {
        state.withLock { $0.current = token }
    }

    func credential() async throws -> AccessCredential {
        guard let token = state.withLock({ $0.current }) else { throw Refused() }
        return AccessCredential(token)
    }

    func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
        try state.withLock { state in
            state.rejected.append(rejected)
            if let current = state.current, current != rejected { return AccessCredential(current) }
            state.refreshes += 1
            guard let token = state.afterRefresh else { throw Refused() }
            state.current = token
            return AccessCredential(token)
        }
    }
}
