// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The rules of a ``TokenAuthority``'s server for its tokens, which are the same for all sessions.
public struct AuthorityPolicy: Sendable, Hashable {
    /// The time before an access token's expiry at which a session refreshes it.
    public var refreshWindow: RefreshWindow
    /// The effect of a refresh on the token that it is made with.
    public var rotation: RotationPolicy
    /// The way in which a sign-out ends the session at the server.
    public var signOut: SignOutPolicy
    /// The grants by which the server issues access tokens for other APIs; requests by other grants are never made.
    public var resourceTokenGrants: Set<ResourceTokenGrant>

    /// Creates rules.
    public init(
        refreshWindow: RefreshWindow = .shortLivedToken,
        rotation: RotationPolicy,
        signOut: SignOutPolicy,
        resourceTokenGrants: Set<ResourceTokenGrant> = []
    ) {
        (self.refreshWindow, self.rotation, self.signOut) = (refreshWindow, rotation, signOut)
        self.resourceTokenGrants = resourceTokenGrants
    }
}

/// The effect of a refresh on the token that it is made with.
///
/// [RFC 9700, 4.14](https://www.rfc-editor.org/rfc/rfc9700#section-4.14).
public enum RotationPolicy: Sendable, Hashable {
    /// The token stays valid: it can be presented again, and the same refresh can be sent at any time.
    case keepsToken
    /// The token is used up.
    ///
    /// The refresh is sent only if the response can be stored, and by one process at a time. `graceWindow` is the time
    /// for which the server repeats its response to the same token. If the response is lost, the refresh is sent again
    /// within this window, and after it only as a last resort. Nil if the server is not known to repeat it.
    case rotates(graceWindow: Duration?)

    /// Whether a refresh uses up the token that it is made with.
    var rotatesRefreshTokens: Bool {
        if case .rotates = self { true } else { false }
    }

    /// The time for which the same refresh gets the same response; nil if unknown.
    var graceWindow: Duration? {
        switch self {
        // Longer than any caller could wait.
        case .keepsToken: .seconds(3_600)
        case .rotates(let window): window
        }
    }
}
