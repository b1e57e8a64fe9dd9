import AuthCore
import Synchronization

/// What can be answered without entering the session's actor.
final class SessionSnapshot: Sendable {
    private struct Content {
        var state = SessionState.restoring
        var tokens: TokenSet?
        var freshUntil = Duration.zero
    }

    private let content = Mutex(Content())

    var state: SessionState { content.withLock { $0.state } }

    var tokens: TokenSet? { content.withLock { $0.tokens } }

    /// The access token, where it is fresh.
    ///
    /// - Parameter uptime: Now, by the session's monotonic clock.
    /// - Returns: The token. Secret.
    func freshAccessToken(at uptime: Duration) -> AccessToken? {
        content.withLock { uptime < $0.freshUntil ? $0.tokens?.accessToken : nil }
    }

    /// Shows a state, and the tokens that may be handed out.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - tokens: The tokens; nil for none.
    ///   - freshUntil: Until when they are handed out without entering the actor.
    func set(_ state: SessionState, tokens: TokenSet?, freshUntil: Duration) {
        content.withLock { $0 = Content(state: state, tokens: tokens, freshUntil: freshUntil) }
    }
}
