// SPDX-License-Identifier: Apache-2.0

public import APIClient

/// The server that a session signs in at: an app's own backend, an OpenID provider, or another ``TokenAuthority``.
public struct SessionBackend: Sendable {
    /// The authority that issues the session's tokens.
    public let authority: any TokenAuthority
    /// The kinds of authority of earlier sessions in the store, whose tokens may still have to be revoked.
    let kinds: [AuthorityKind]

    /// Creates a backend from an authority.
    ///
    /// - Parameters:
    ///   - authority: The authority that issues the session's tokens.
    ///   - kinds: The kinds of authority at which earlier sessions in the store may have been. Through them the session
    ///     revokes tokens that could not be revoked at the sign-out. Those of no kind wait in the store.
    public init(_ authority: any TokenAuthority, revokingAt kinds: [AuthorityKind] = []) {
        (self.authority, self.kinds) = (authority, kinds)
    }

    /// The server's address; for a provider, its issuer.
    public var baseURL: BaseURL { authority.baseURL }
}
