// SPDX-License-Identifier: Apache-2.0

public import APIClient

/// The server that a session signs in at: an app's own backend, an OpenID provider, or another ``TokenAuthority``.
public struct SessionBackend: Sendable {
    /// The authority that issues the session's tokens.
    public let authority: any TokenAuthority

    /// Creates a backend from an authority.
    ///
    /// - Parameter authority: The authority that issues the session's tokens.
    public init(_ authority: any TokenAuthority) {
        self.authority = authority
    }

    /// The server's address; for a provider, its issuer.
    public var baseURL: BaseURL { authority.baseURL }
}
