// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
public import AuthSession
import Logging
public import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An OpenID provider that issues an access token and, if granted, a refresh token that may rotate.
struct OpenIDAuthority: TokenAuthority {
    let provider: OpenIDProvider
    /// The issuer and the client, with a secret ``StoredProvider``.
    let record: AuthorityRecord
    let policy: AuthorityPolicy
    private let clock: SessionClock

    init(_ provider: OpenIDProvider, clock: SessionClock? = nil) {
        self.provider = provider
        self.clock = clock ?? SessionClock(date: provider.settings.now, monotonic: ContinuousClock())
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let details = try? encoder.encode(StoredProvider(provider))
        record = AuthorityRecord(id: provider.id, resources: provider.profile.resources, details: details)
        policy = AuthorityPolicy(
            rotation: provider.rotation,
            signOut: .revokesTokens(isSupported: provider.supportsRevocation),
            resourceTokenGrants: provider.profile.refreshNarrowsScope
                ? [.tokenExchange] : [.refreshToken, .tokenExchange]
        )
    }

    var baseURL: BaseURL { provider.metadata.issuer.baseURL }

    func connected(over connection: AuthorityConnection) -> OpenIDAuthority {
        var settings = provider.settings
        if let transport = connection.transport { settings.transport = transport }
        settings.timeout = connection.timeout
        settings.now = connection.clock.date
        settings.suspendingClock = connection.clock.suspendingClock
        settings.logger = connection.logger
        return OpenIDAuthority(provider.with(settings), clock: connection.clock)
    }

    func canRefresh(_ tokens: TokenSet) -> Bool { tokens.refreshToken != nil }

    /// Asks the token endpoint for new tokens ([RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)), or for an
    /// access token for another API: by the refresh token with `resource`
    /// ([RFC 8707, 2.2](https://www.rfc-editor.org/rfc/rfc8707#section-2.2)), `audience` or `scope`, or by a token exchange
    /// ([RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2)).
    func refresh(
        _ tokens: TokenSet,
        for request: ResourceRequest?,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        let start = clock.reading()
        var target = request?.target ?? TokenTarget()
        do {
            if request?.grant == .tokenExchange {
                let new = try await provider.exchanged(tokens.accessToken, for: target, dpopKey: tokens.dpopKey)
                return .refreshed(IssuedTokens(tokens: new, requestedAt: start))
            }
            guard let refreshToken = tokens.refreshToken else { return .failed(AuthSessionError(.noRefreshToken)) }
            // RFC 8707, 2.2: some servers issue a token for another API if the request names none.
            if target.audiences.isEmpty, target.resources.isEmpty { target.resources = tokens.resources }
            let response = try await provider.refreshed(
                with: refreshToken,
                for: target,
                previous: tokens.idToken,
                of: user?.id,
                dpopKey: tokens.dpopKey,
                sendGuard: sendGuard
            )
            switch response {
            case .tokens(let tokens, let idToken, let receivedAt):
                let received = idToken.map { ReceivedIDToken($0, at: receivedAt) }
                return .refreshed(IssuedTokens(tokens: tokens, requestedAt: start, receivedIDToken: received))
            case .rotated(let refreshToken, let error):
                return .rotated(refreshToken, AuthSessionError(.invalidResponse, of: error))
            case .mismatched(let error, let revocation):
                return .mismatched(AuthSessionError(.invalidResponse, of: error), revocation: revocation)
            }
        } catch {
            return RefreshOutcome(providerFailure: error, at: provider, mayEndSession: request?.grant != .tokenExchange)
        }
    }

    /// Returns the access token, with its DPoP key if it has one ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)).
    func credential(for tokens: TokenSet) -> AccessCredential { provider.credential(for: tokens) }

    /// Revokes the refresh token, or the access token if there is no refresh token, and the exchanged tokens.
    func signOut(_ tokens: RevocableTokens) async -> RevocationResponse {
        guard provider.supportsRevocation else { return .notApplicable }
        var response = RevocationResponse.revoked
        do {
            if let refreshToken = tokens.refreshToken {
                // RFC 7009, 2.1: the access tokens of the same grant are revoked with it.
                try await provider.revoke(refreshToken)
            } else if let accessToken = tokens.accessToken {
                try await provider.revoke(accessToken)
            }
        } catch let error as OpenIDError where error.isRefusedRevocation {
            // The refusal may be final, so this may be the only attempt for the exchanged tokens.
            response = .refused(error.oauthCode.map { ServerErrorCode(rawValue: $0.rawValue) })
        } catch {
            return .failed
        }
        for token in tokens.exchangedTokens {
            do {
                try await provider.revoke(token)
            } catch let error as OpenIDError where error.isRefusedRevocation {
                // Such a token ends by itself.
                provider.settings.logger.debug("the provider refused to revoke the access token of a token exchange")
            } catch {
                if response == .revoked { return .failed }
            }
        }
        return response
    }
}

extension OpenIDError {
    fileprivate var isRefusedRevocation: Bool { operation == .revocation && !isRetryable }
}

extension OpenIDProvider {
    /// The policy of the app's grace window, or that of the profile.
    ///
    /// Providers don't announce the rotation, so refresh tokens are assumed to rotate unless the profile says otherwise.
    fileprivate var rotation: RotationPolicy {
        if let window = settings.refreshGraceWindow { return .rotates(graceWindow: window) }
        return switch profile.rotation {
        case .keepsToken: .keepsToken
        case .rotates(let window): .rotates(graceWindow: window)
        }
    }

    func credential(for tokens: TokenSet) -> AccessCredential {
        guard let key = tokens.dpopKey else { return AccessCredential(tokens.accessToken) }
        return AccessCredential(tokens.accessToken, key: key, proofs: proofs)
    }
}

extension SessionBackend {
    /// Returns the backend for an OpenID provider, or for an OAuth 2.0 server without OpenID Connect.
    ///
    /// Tokens of earlier sign-ins at another provider or client are revoked with the settings of this one, unless that
    /// client had a private key or an identity token: `SessionBackend.init(_:revokingAt:)` takes a kind that brings it.
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
