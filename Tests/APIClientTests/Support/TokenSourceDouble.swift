import AuthCore
import Synchronization

/// A token source that a test steers: which token is the current one, and what it was asked.
final class TokenSourceDouble: AccessTokenSource {
    struct Refused: Error, Equatable {}

    private struct State {
        var current: AccessToken?
        var afterRefresh: AccessToken?
        var rejected: [AccessToken] = []
        var refreshes = 0
    }

    private let state: Mutex<State>

    // Without a current token nobody is signed in; without a next one a refresh is refused.
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

    func accessToken() async throws -> AccessToken {
        guard let token = state.withLock({ $0.current }) else { throw Refused() }
        return token
    }

    func accessToken(insteadOf rejected: AccessToken) async throws -> AccessToken {
        try state.withLock { state in
            state.rejected.append(rejected)
            if let current = state.current, current != rejected { return current }
            state.refreshes += 1
            guard let token = state.afterRefresh else { throw Refused() }
            state.current = token
            return token
        }
    }
}
