// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Synchronization

/// The part of the session that can be read without entering its actor.
final class SessionSnapshot: Sendable {
    private struct Content {
        var state = SessionState.restoring
        var tokens: TokenSet?
        /// The credential of the tokens.
        var credential: AccessCredential?
        var freshUntil = Duration.zero
    }

    private let content = Mutex(Content())
    private let authority: any TokenAuthority

    init(of authority: any TokenAuthority) {
        self.authority = authority
    }

    var state: SessionState { content.withLock { $0.state } }

    var tokens: TokenSet? { content.withLock { $0.tokens } }

    /// Returns the access token if it is fresh.
    ///
    /// - Parameter uptime: The current time by the session's monotonic clock.
    /// - Returns: The token. Secret.
    func freshAccessToken(at uptime: Duration) -> AccessToken? {
        content.withLock { uptime < $0.freshUntil ? $0.tokens?.accessToken : nil }
    }

    /// Returns the access token if it is fresh, with all that a request needs to present it.
    func freshCredential(at uptime: Duration) -> AccessCredential? {
        content.withLock { uptime < $0.freshUntil ? $0.credential : nil }
    }

    /// The origins that the published tokens may go to; nil if their user decides, or if there are no tokens.
    var allowedOrigins: Set<String>? { content.withLock { $0.credential?.allowedOrigins } }

    /// Returns the credential of the given tokens, with their own key, even if other tokens are published.
    ///
    /// The credential is created anew unless the published tokens are the same.
    func credential(for tokens: TokenSet) -> AccessCredential {
        let known: AccessCredential? = content.withLock { content in
            guard let shown = content.tokens, shown.accessToken == tokens.accessToken,
                shown.dpopKeyBytes == tokens.dpopKeyBytes, shown.resources == tokens.resources
            else { return nil }
            return content.credential
        }
        // Outside of the lock: the authority may be an app's own code.
        if let known { return known }
        var credential = authority.credential(for: tokens)
        credential.allowedOrigins = tokens.allowedOrigins
        return credential
    }

    /// Publishes a state, and the tokens that may be handed out.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - tokens: The tokens; nil if there are no tokens.
    ///   - freshUntil: The time until which the tokens are handed out without entering the actor.
    func set(_ state: SessionState, tokens: TokenSet?, freshUntil: Duration) {
        // The credential goes with the tokens. There is no race: only the session's actor calls this.
        let credential = tokens.map { self.credential(for: $0) }
        content.withLock { content in
            content = Content(state: state, tokens: tokens, credential: credential, freshUntil: freshUntil)
        }
    }
}
