// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
public import AuthSession
import Logging
public import OpenIDConnect

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An OpenID provider that issues an access token and, if granted, a refresh token that may rotate.
public struct OpenIDAuthority: TokenAuthority, RedirectSignIn {
    /// The provider, with the app's registration there.
    public let provider: OpenIDProvider
    private let clock: SessionClock

    /// Creates an authority.
    ///
    /// - Parameter provider: The provider, with the app's registration there.
    public init(_ provider: OpenIDProvider) {
        self.init(provider, clock: SessionClock(date: provider.settings.now, monotonic: ContinuousClock()))
    }

    private init(_ provider: OpenIDProvider, clock: SessionClock) {
        self.provider = provider
        self.clock = clock
    }

    /// The provider's issuer.
    public var baseURL: BaseURL { provider.metadata.issuer.baseURL }

    /// The issuer and the client, whatever the endpoints are.
    public var id: AuthorityID { provider.id }

    /// The APIs of the provider's profile.
    public var resources: [String] { provider.profile.resources }

    /// The provider, with its discovery document and the client's secret.
    ///
    /// Secret.
    public var details: Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try? encoder.encode(StoredProvider(provider))
    }

    /// Returns the same provider with a session's transport, timeout, clocks and logger.
    public func connected(over connection: AuthorityConnection) -> OpenIDAuthority {
        var settings = provider.settings
        if let transport = connection.transport { settings.transport = transport }
        settings.timeout = connection.timeout
        settings.now = connection.clock.date
        settings.suspendingClock = connection.clock.suspendingClock
        settings.logger = connection.logger
        return OpenIDAuthority(provider.with(settings), clock: connection.clock)
    }

    /// The refresh window of a token that is valid for minutes.
    public var refreshWindow: RefreshWindow { .shortLivedToken }

    /// The policy of the provider's profile, or that of the app's grace window.
    ///
    /// Providers don't announce the rotation, so refresh tokens are assumed to rotate unless the profile says otherwise.
    public var rotation: RotationPolicy {
        if let window = provider.settings.refreshGraceWindow { return .rotates(graceWindow: window) }
        return switch provider.profile.rotation {
        case .keepsToken: .keepsToken
        case .rotates(let window): .rotates(graceWindow: window)
        }
    }

    /// Returns whether there is a refresh token.
    public func canRefresh(_ tokens: TokenSet) -> Bool { tokens.refreshToken != nil }

    /// Asks the token endpoint for new tokens ([RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)).
    public func refresh(
        _ tokens: TokenSet,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        await refresh(tokens, of: user, for: TokenTarget(), sendGuard)
    }

    /// The ways to get an access token for another API: a token exchange, and the refresh token unless
    /// `ProviderProfile.refreshNarrowsScope` is set.
    public var resourceTokenGrants: Set<ResourceTokenGrant> {
        provider.profile.refreshNarrowsScope ? [.tokenExchange] : [.refreshToken, .tokenExchange]
    }

    /// Asks the token endpoint for an access token for another API.
    ///
    /// By the refresh token, with `resource` ([RFC 8707, 2.2](https://www.rfc-editor.org/rfc/rfc8707#section-2.2)),
    /// `audience` or `scope`, or by a token exchange
    /// ([RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2)).
    public func tokens(
        for target: TokenTarget,
        by grant: ResourceTokenGrant,
        with tokens: TokenSet,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        switch grant {
        case .refreshToken: return await refresh(tokens, of: user, for: target, sendGuard)
        case .tokenExchange:
            let start = clock.reading()
            do {
                let new = try await provider.exchanged(tokens.accessToken, for: target, dpopKey: tokens.dpopKey)
                return .refreshed(IssuedTokens(tokens: new, requestedAt: start))
            } catch {
                return RefreshOutcome(providerFailure: error, at: provider, mayEndSession: false)
            }
        }
    }

    private func refresh(
        _ tokens: TokenSet,
        of user: SessionUser?,
        for target: TokenTarget,
        _ sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        var target = target
        // RFC 8707, 2.2: some servers issue a token for another API if the request names none.
        if target.audiences.isEmpty, target.resources.isEmpty { target.resources = tokens.resources }
        guard let refreshToken = tokens.refreshToken else { return .failed(AuthSessionError(.noRefreshToken)) }
        let start = clock.reading()
        do {
            let response = try await provider.refreshed(
                with: refreshToken,
                for: target,
                previous: tokens.idToken,
                of: user?.id,
                dpopKey: tokens.dpopKey,
                sendGuard: sendGuard
            )
            switch response {
            case .tokens(let tokens, let idToken):
                return .refreshed(IssuedTokens(tokens: tokens, requestedAt: start, receivedIDToken: idToken))
            case .rotated(let refreshToken, let error):
                return .rotated(refreshToken, AuthSessionError(.invalidResponse, of: error))
            case .mismatched(let error, let revocation):
                return .mismatched(AuthSessionError(.invalidResponse, of: error), revocation: revocation)
            }
        } catch {
            return RefreshOutcome(providerFailure: error, at: provider)
        }
    }

    /// Returns the access token, with its DPoP key if it has one ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)).
    public func credential(for tokens: TokenSet) -> AccessCredential {
        guard let key = tokens.dpopKey else { return AccessCredential(tokens.accessToken) }
        return AccessCredential(tokens.accessToken, key: key, proofs: provider.proofs)
    }

    /// The policy to revoke the tokens, if the provider has a revocation endpoint.
    public var signOutPolicy: SignOutPolicy { .revokesTokens(isSupported: provider.supportsRevocation) }

    /// Revokes the refresh token, or the access token if there is no refresh token, and the exchanged tokens.
    public func signOut(_ tokens: RevocableTokens) async -> RevocationResponse {
        guard provider.supportsRevocation else { return .notApplicable }
        do {
            try await revokeOwn(tokens)
        } catch let error as OpenIDError where error.operation == .revocation && !error.isRetryable {
            // The refusal may be final, so this may be the only attempt for the exchanged tokens.
            for token in tokens.exchangedTokens { try? await revokeExchanged(token) }
            return .refused(error.oauthCode.map { ServerErrorCode(rawValue: $0.rawValue) })
        } catch {
            return .failed
        }
        do {
            for token in tokens.exchangedTokens { try await revokeExchanged(token) }
            return .revoked
        } catch {
            return .failed
        }
    }

    /// Revokes the session's own tokens.
    private func revokeOwn(_ tokens: RevocableTokens) async throws {
        if let refreshToken = tokens.refreshToken {
            // RFC 7009, 2.1: the access tokens of the same grant are revoked with it.
            try await provider.revoke(refreshToken)
        } else if let accessToken = tokens.accessToken {
            try await provider.revoke(accessToken)
        }
    }

    /// Revokes an access token of a token exchange, if the provider revokes access tokens.
    private func revokeExchanged(_ token: AccessToken) async throws {
        do {
            try await provider.revoke(token)
        } catch let error as OpenIDError where error.operation == .revocation && !error.isRetryable {
            // Such a token ends by itself.
            provider.settings.logger.debug("the provider refused to revoke the access token of a token exchange")
        }
    }

    /// Returns whether a URL is the authorization response to the pending request.
    public func isSignInResponse(_ url: String, in session: AuthSession) async throws -> Bool {
        try await session.isSignInResponse(url, from: provider)
    }

    /// Exchanges the code of an authorization response for tokens.
    public func completeSignIn(redirectedTo url: String, in session: AuthSession) async throws -> SessionUser? {
        try await session.completeAuthorization(redirectedTo: url)
    }
}

extension SessionBackend {
    /// Returns the backend for an OpenID provider, or for an OAuth 2.0 server without OpenID Connect.
    ///
    /// Tokens of earlier sign-ins at another provider or client are revoked with the settings of this one, unless that
    /// client had a private key: `SessionBackend.init(_:revokingAt:)` takes a kind that brings the key.
    ///
    /// - Parameter provider: The provider, with the app's registration there.
    /// - Returns: The backend.
    public static func openID(_ provider: OpenIDProvider) -> SessionBackend {
        SessionBackend(OpenIDAuthority(provider), revokingAt: [.openID { $0.with(provider.settings) }])
    }

    /// The provider, or nil if the authority isn't an OpenID provider.
    public var provider: OpenIDProvider? { (authority as? OpenIDAuthority)?.provider }
}

extension AuthorityKind {
    /// The kind of OpenID providers, and of OAuth 2.0 servers.
    ///
    /// The client of a stored session can't authenticate with a private key or an identity token: the session holds
    /// none. An app that has one uses ``openID(completing:)``.
    public static let openID = openID(completing: { $0 })

    /// Returns the kind of OpenID providers, and of OAuth 2.0 servers, for an app that configures more than is stored.
    ///
    /// - Parameter complete: Adds the client's private key, a profile of the app's own, or settings to a stored provider.
    ///   A provider of another issuer or client is `damaged`.
    public static func openID(
        completing complete: @escaping @Sendable (_ stored: OpenIDProvider) throws -> OpenIDProvider
    ) -> AuthorityKind {
        AuthorityKind { record in
            guard ["openID", "oauth"].contains(record.id.kind) else { return nil }
            let authority = OpenIDAuthority(try complete(try StoredProvider.provider(of: record)))
            guard authority.id == record.id else { throw SessionRecordError(.damaged) }
            return authority
        }
    }
}
