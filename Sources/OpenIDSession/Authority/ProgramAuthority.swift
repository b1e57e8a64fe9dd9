// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
public import AuthSession
public import OpenIDConnect

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A server that issues tokens to a program itself, without a user.
///
/// A refresh is a request like the first: it uses up nothing, and can be repeated. Only a sign-out ends the session. A
/// server that refuses the program leaves it, because the program may be allowed again.
/// [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4),
/// [RFC 7523, 2.1](https://www.rfc-editor.org/rfc/rfc7523#section-2.1),
/// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
public struct ProgramAuthority: TokenAuthority {
    /// The provider or OAuth 2.0 server, with the program's registration there.
    public let provider: OpenIDProvider
    /// The API that the session's own token is for, and its scope.
    public let target: TokenTarget
    /// The grant of each request for a token.
    public let grant: ProgramGrant
    /// The issuer, the client, the target, the APIs and the grant, whatever the endpoints are.
    public let id: AuthorityID
    /// The same server as the authority of users' sessions, which presents and revokes tokens in the same way.
    private let base: OpenIDAuthority
    private let clock: SessionClock
    /// The sign-in that is in progress in this session.
    let signIn = SharedSignIn()

    /// Creates an authority.
    ///
    /// - Parameters:
    ///   - provider: The provider, with the program's registration there. Client credentials need a confidential client.
    ///   - target: The API that the session's own token is for, and its scope.
    ///   - grant: The grant of each request for a token.
    public init(
        _ provider: OpenIDProvider,
        target: TokenTarget = TokenTarget(),
        grant: ProgramGrant = .clientCredentials
    ) {
        self.init(
            OpenIDAuthority(provider),
            target,
            grant,
            clock: SessionClock(date: provider.settings.now, monotonic: ContinuousClock())
        )
    }

    private init(
        _ base: OpenIDAuthority,
        _ target: TokenTarget,
        _ grant: ProgramGrant,
        clock: SessionClock
    ) {
        self.base = base
        self.target = target
        self.grant = grant
        self.clock = clock
        provider = base.provider
        id = ProgramFormat.id(of: base.provider, target, grant)
    }

    /// The server's issuer.
    public var baseURL: BaseURL { base.baseURL }

    /// The APIs of the provider's profile.
    public var resources: [String] { provider.profile.resources }

    /// The APIs of the target, or those of the profile if the target names none.
    var tokenResources: [String] {
        target.audiences.isEmpty && target.resources.isEmpty ? resources : target.resources
    }

    /// The server, the program's registration there, and its requests.
    ///
    /// Secret, because it may hold a client secret or a private key.
    public var details: Data? { try? JSONEncoder().encode(ProgramFormat(provider, target, grant)) }

    /// Returns the same server with a session's transport, timeout, clocks and logger.
    public func connected(over connection: AuthorityConnection) -> ProgramAuthority {
        ProgramAuthority(base.connected(over: connection), target, grant, clock: connection.clock)
    }

    /// The refresh window of a token that is valid for minutes.
    public var refreshWindow: RefreshWindow { base.refreshWindow }

    /// The policy of a refresh that uses up nothing.
    public var rotation: RotationPolicy { .keepsToken }

    /// Returns true, because the grant gets the next token.
    public func canRefresh(_ tokens: TokenSet) -> Bool { true }

    /// Requests another token by the same grant.
    public func refresh(
        _ tokens: TokenSet,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        await request(target, tokens)
    }

    /// The grants that get an access token for another API: both.
    public var resourceTokenGrants: Set<ResourceTokenGrant> { [.refreshToken, .tokenExchange] }

    /// Requests an access token for another API.
    ///
    /// By the program's own grant, because a program has no refresh token, or by a token exchange
    /// ([RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2)). Both use up nothing.
    public func tokens(
        for target: TokenTarget,
        by grant: ResourceTokenGrant,
        with tokens: TokenSet,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        switch grant {
        case .refreshToken: await request(target, tokens)
        case .tokenExchange: await base.tokens(for: target, by: grant, with: tokens, of: user, sendGuard: sendGuard)
        }
    }

    /// Requests a token by the program's grant, bound to the key of the session's tokens.
    private func request(_ target: TokenTarget, _ tokens: TokenSet) async -> RefreshOutcome {
        let start = clock.reading()
        do {
            let new = try await provider.tokens(for: target, by: grant, dpopKey: tokens.dpopKey)
            return .refreshed(IssuedTokens(tokens: new, requestedAt: start))
        } catch {
            return RefreshOutcome(providerFailure: error, at: provider, mayEndSession: false)
        }
    }

    /// Whether an endpoint describes the program; always false.
    public var canValidate: Bool { false }

    /// Returns `unknown`, because no endpoint describes a program.
    public func validate(_ tokens: TokenSet, of user: SessionUser?) async -> SessionValidation { .unknown }

    /// Returns the access token, with its DPoP key if it has one.
    public func credential(for tokens: TokenSet) -> AccessCredential { base.credential(for: tokens) }

    /// The policy to revoke the access token, if the server has a revocation endpoint.
    public var signOutPolicy: SignOutPolicy { base.signOutPolicy }

    /// Revokes the access token.
    public func signOut(_ tokens: RevocableTokens) async -> RevocationResponse { await base.signOut(tokens) }

    /// Returns another server of this kind, or a provider of users' sessions, with this one's settings.
    public func sibling(_ record: AuthorityRecord) -> (any TokenAuthority)? {
        guard record.id.kind == "program" else { return base.sibling(record) }
        guard let other = try? ProgramFormat.program(record) else { return nil }
        let there = other.provider.with(provider.settings)
        return ProgramAuthority(OpenIDAuthority(there), other.target, other.grant, clock: clock)
    }
}

extension AuthorityKind {
    /// The kind of sessions of a program itself, by any grant.
    public static let program = AuthorityKind { record in
        record.id.kind == "program" ? try ProgramFormat.authority(record) : nil
    }
}
