import AuthCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What can be answered without entering the session's actor.
final class SessionSnapshot: Sendable {
    private struct Content {
        var state = SessionState.restoring
        var tokens: TokenSet?
    }

    private let content = Mutex(Content())
    private let window: RefreshWindow

    init(window: RefreshWindow) {
        self.window = window
    }

    var state: SessionState { content.withLock { $0.state } }

    var tokens: TokenSet? { content.withLock { $0.tokens } }

    /// The access token, where it is fresh.
    func freshAccessToken(at now: Date) -> AccessToken? {
        guard let tokens, tokens.lifetime.freshness(at: now, window: window) == .fresh else { return nil }
        return tokens.accessToken
    }

    func set(_ state: SessionState, tokens: TokenSet?) {
        content.withLock { $0 = Content(state: state, tokens: tokens) }
    }
}
