// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore

extension AuthSession {
    /// Returns an access token of this session for another API.
    ///
    /// The token is kept with the session, in the same item of the store, until it is due. A new one is requested once
    /// for all waiting tasks and processes. A server that refuses the API or the scope does not end the session. If it
    /// can't be reached, a token that is due is returned until it expires. A sign-out ends the token too. Restores the
    /// session if that has not been done.
    ///
    /// - Parameters:
    ///   - target: The API.
    ///   - grant: The grant that gets the token.
    /// - Returns: The token. Secret.
    /// - Throws: ``AuthSessionError`` (`contractMismatch` if the backend has no such tokens, or the target is empty; `refreshRefused` or
    ///   `refreshFailed` with the server's code if it refuses the API or the scope; `noRefreshToken`; the codes of
    ///   ``accessToken()``); `CancellationError` at once if the task is cancelled.
    public nonisolated func accessToken(
        for target: TokenTarget,
        by grant: ResourceTokenGrant = .refreshToken
    ) async throws -> AccessToken {
        try await credentials(for: target, by: grant).credential().accessToken
    }

    /// Returns an access token of this session for another API, with its lifetime and scope.
    ///
    /// The token is chosen and kept as by ``accessToken(for:by:)``.
    ///
    /// - Parameters:
    ///   - target: The API.
    ///   - grant: The grant that gets the token.
    /// - Returns: The access token, with the requested scope if the server named none; no other token. Secret.
    /// - Throws: The errors of ``accessToken(for:by:)``.
    public func tokens(for target: TokenTarget, by grant: ResourceTokenGrant = .refreshToken) async throws -> TokenSet {
        let request = ResourceRequest(target: target, grant: grant)
        return try await tokens(for: request, insteadOf: nil)
    }

    /// Returns the source of this session's credentials for another API, for an `APIClient` or another HTTP client.
    ///
    /// - Parameters:
    ///   - target: The API.
    ///   - grant: The grant that gets the access token.
    /// - Returns: The source. It requests nothing before it is used.
    public nonisolated func credentials(
        for target: TokenTarget,
        by grant: ResourceTokenGrant = .refreshToken
    ) -> some AccessTokenSource {
        ResourceCredentials(session: self, request: ResourceRequest(target: target, grant: grant))
    }

    fileprivate func credential(
        _ request: ResourceRequest,
        insteadOf rejected: AccessToken? = nil
    ) async throws -> AccessCredential {
        let tokens = try await tokens(for: request, insteadOf: rejected)
        return publisher.credential(for: tokens)
    }
}

/// The source of a session's credentials for another API.
///
/// The tokens are chosen and kept as by ``AuthSession/accessToken(for:by:)``.
private struct ResourceCredentials: AccessTokenSource {
    let session: AuthSession
    let request: ResourceRequest

    /// The origins of the target's `resources`, as of ``AuthSession/allowedOrigins``.
    ///
    /// Nil if the target has only names that say nothing of a server's address, such as an audience. The session's own if
    /// it has only a scope.
    var allowedOrigins: Set<String>? {
        TokenSet.origins(of: request.resources(besides: session.publisher.tokens?.resources ?? []))
    }

    func credential() async throws -> AccessCredential { try await session.credential(request) }

    func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
        try await session.credential(request, insteadOf: rejected)
    }
}
