// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// The provider that the session signs in at, or nil if the backend is no `OpenIDProvider`.
    public nonisolated var provider: OpenIDProvider? { backend.provider }

    func requireProvider() throws(AuthSessionError) -> OpenIDProvider {
        guard let provider else { throw AuthSessionError(.contractMismatch) }
        return provider
    }

    /// Requests the tokens of a sign-in, and begins their session once the user is known.
    ///
    /// The user is the ID token's. If the response has no ID token, or the ID token no name, the userinfo endpoint names
    /// the user. In the first case its failure is the sign-in's, and the tokens are revoked if it is lasting. A sign-in
    /// that an API required must meet the API's requirements; otherwise the session stays as it is.
    ///
    /// - Parameter request: Calls the token endpoint, and revokes no tokens that may share a grant with a session's.
    /// - Throws: `OpenIDError`; `AuthSessionError`, also for a refusal of the token endpoint; `CancellationError`.
    func begin(
        _ ticket: SignInTicket,
        at provider: OpenIDProvider,
        _ parameters: AuthorizationParameters,
        dpopKey key: DPoPKey?,
        requesting request: (_ mayShareGrant: Bool) async throws -> OpenIDTokens
    ) async throws -> SessionUser? {
        await cancelRevocations()
        let response: OpenIDTokens
        do {
            response = try await request(mayShareGrant(ticket))
        } catch let error as OpenIDError where error.operation == .token {
            let isKeySet = (error.underlying as? IDTokenError)?.code == .keysUnavailable
            if error.isRetryable || isKeySet { throw AuthSessionError(.unreachable, of: error) }
            throw AuthSessionError(error.code == .refused ? .signInRefused : .invalidResponse, of: error)
        }
        // The session must be known before tokens are revoked that may share its grant.
        if parameters.stepUp != nil { await restore(validating: false) }
        let issued = issued(response, parameters, dpopKey: key, at: provider)
        var user = response.idToken.map { idToken in SessionUser(subject: idToken.subject) { idToken.claims[$0] } }
        if user == nil, provider.metadata.issuesIDTokens || provider.userInfoEndpoint != nil {
            do {
                let token = response.tokens.accessToken
                user = SessionUser(try await provider.userInfo(with: token, of: nil, dpopKey: key))
            } catch {
                // The endpoint may be back soon, and the tokens may share a grant with those in the store.
                if !((error as? OpenIDError)?.isRetryable ?? false) {
                    revokeUnused(response.tokens, of: nil, from: ticket)
                }
                throw error
            }
        } else if let subject = user?.id, user?.name == nil, provider.userInfoEndpoint != nil,
            parameters.requestsName
        {
            // As in the session's later life, so that all places show one name. The sign-in doesn't depend on it.
            let info = await clock.briefly { try await provider.userInfo(with: issued.tokens, of: subject) }
            if case .success(let info)? = info { user = SessionUser(info) }
        }
        if let stepUp = parameters.stepUp {
            do {
                // The session that would be replaced may be another user's by now.
                guard try currentUser().id == stepUp.userID else { throw AuthSessionError(.userMismatch) }
                try stepUp.check(user, response.idToken)
            } catch {
                revokeUnused(response.tokens, of: user, from: ticket)
                throw error
            }
        }
        return try await complete(ticket, with: issued, user: user)
    }

    /// Returns the tokens that a session begins with.
    private func issued(
        _ response: OpenIDTokens,
        _ parameters: AuthorizationParameters,
        dpopKey key: DPoPKey?,
        at provider: OpenIDProvider
    ) -> IssuedTokens {
        var tokens = response.tokens
        // RFC 6749, 5.1: the server may omit the scope if it equals the requested one.
        tokens.scope = tokens.scope ?? parameters.scope
        tokens.dpopKeyBytes = key?.bytes
        tokens.resources = parameters.resources
        let reported = parameters.scope?.values.filter { !provider.profile.unreportedScopes.contains($0) }
        // The token request may have been the last of many polls, and not recent.
        let now = clock.reading()
        let start = tokens.lifetime.issuedAt ?? now.date
        return IssuedTokens(
            tokens: tokens,
            requestedAt: now.reading(at: start),
            requestedScope: reported.map { Scope($0.joined(separator: " ")) }
        )
    }
}

extension StepUpRequirement {
    /// Checks that the session's user signed in, in a way that the API accepts.
    ///
    /// A provider that can't authenticate the user as requested may return the class that it reached, and the API would
    /// require the same again. An ID token without `acr` says nothing. `max_age` is checked with the ID token.
    /// [RFC 9470, 5](https://www.rfc-editor.org/rfc/rfc9470#section-5),
    /// [OpenID Connect Core 1.0, 5.5.1.1](https://openid.net/specs/openid-connect-core-1_0.html#acrSemantics).
    fileprivate func check(_ user: SessionUser?, _ idToken: VerifiedIDToken?) throws {
        if let userID {
            guard let user, user.id.utf8.elementsEqual(userID.utf8) else { throw AuthSessionError(.userMismatch) }
        }
        guard !acrValues.isEmpty, let claim = idToken?.claims["acr"], claim != .null else { return }
        guard let reached = claim.string, acrValues.contains(where: { $0.utf8.elementsEqual(reached.utf8) }) else {
            throw OpenIDError(.authorization, .refused, oauthCode: .unmetAuthenticationRequirements)
        }
    }
}

extension AuthorizationParameters {
    /// Whether the request asks for claims that name the user.
    fileprivate var requestsName: Bool { scope.map { $0.contains("profile") || $0.contains("email") } ?? false }
}

extension SessionUser {
    /// Creates a user from a provider's claims.
    init(_ info: UserInfo) {
        self.init(subject: info.subject) { info.claims[$0] }
    }
}
