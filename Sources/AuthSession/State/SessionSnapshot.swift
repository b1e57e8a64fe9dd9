import APIClient
import AuthCore
import OpenIDConnect
import Synchronization

/// What can be answered without entering the session's actor.
final class SessionSnapshot: Sendable {
    private struct Content {
        var state = SessionState.restoring
        var tokens: TokenSet?
        var bearer: BearerCredential?
        var proofKey: DPoPKey?
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

    /// The same, and the field that it is sent in.
    func freshBearer(at uptime: Duration) -> BearerCredential? {
        content.withLock { uptime < $0.freshUntil ? $0.bearer : nil }
    }

    /// The key that the access token is bound to; nil for a bearer token.
    var proofKey: DPoPKey? { content.withLock { $0.proofKey } }

    /// Shows a state, and the tokens that may be handed out.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - tokens: The tokens; nil for none.
    ///   - freshUntil: Until when they are handed out without entering the actor.
    func set(_ state: SessionState, tokens: TokenSet?, freshUntil: Duration) {
        content.withLock { content in
            let token = tokens?.accessToken
            // Made anew for another token alone, and gone with it.
            let bearer = content.bearer?.token == token ? content.bearer : token.map { BearerCredential($0) }
            let key = content.tokens?.proofKey == tokens?.proofKey ? content.proofKey : tokens?.dpopKey
            content = Content(state: state, tokens: tokens, bearer: bearer, proofKey: key, freshUntil: freshUntil)
        }
    }
}
