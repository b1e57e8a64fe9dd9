public import APIClient
public import AuthCore
public import AuthSession
public import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server that issues tokens to a program itself, for its client credentials, without a user.
///
/// A refresh is a request like the first: it uses up nothing, and can be repeated. Only a sign-out ends the session. A
/// server that refuses the client leaves it, because the client may be allowed again.
/// [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
public struct ClientCredentialsAuthority: TokenAuthority {
    /// The provider or OAuth 2.0 server, with the program's registration there.
    public let provider: OpenIDProvider
    /// The parameters of each request for a token.
    public let parameters: ClientCredentialsParameters
    /// The description of the server, of the program's registration there and of the parameters.
    ///
    /// Secret, because it holds the client's secret or its private key.
    public let record: AuthorityRecord
    /// The same server as the authority of users' sessions, which presents and revokes tokens in the same way.
    private let base: OpenIDAuthority
    private let clock: SessionClock
    /// The sign-in that is in progress in this session.
    let signIn = SharedSignIn()

    /// Creates an authority.
    ///
    /// - Parameters:
    ///   - provider: The provider, with the program's registration there: a confidential client.
    ///   - parameters: The parameters of each request for a token.
    public init(_ provider: OpenIDProvider, parameters: ClientCredentialsParameters = ClientCredentialsParameters()) {
        self.init(
            OpenIDAuthority(provider),
            parameters,
            ClientCredentialsFormat.record(of: provider, parameters),
            clock: SessionClock(date: provider.settings.now, monotonic: ContinuousClock())
        )
    }

    private init(
        _ base: OpenIDAuthority,
        _ parameters: ClientCredentialsParameters,
        _ record: AuthorityRecord,
        clock: SessionClock
    ) {
        self.base = base
        self.parameters = parameters
        self.record = record
        self.clock = clock
        provider = base.provider
    }

    /// The server's issuer.
    public var baseURL: BaseURL { base.baseURL }

    /// Checks that a description names the same issuer, client and parameters, whatever its endpoints are.
    ///
    /// The tokens of other parameters are for another API, or have another scope.
    public func check(_ record: AuthorityRecord) throws(SessionRecordError) {
        if record == self.record { return }
        let other = try ClientCredentialsFormat.authority(record)
        guard other.provider.isSame(as: provider), other.parameters == parameters else {
            throw SessionRecordError(.otherBackend)
        }
    }

    /// Returns the same server with a session's transport, timeout, clocks and logger.
    public func connected(over connection: AuthorityConnection) -> ClientCredentialsAuthority {
        ClientCredentialsAuthority(base.connected(over: connection), parameters, record, clock: connection.clock)
    }

    /// The refresh window of a token that is valid for minutes.
    public var refreshWindow: RefreshWindow { base.refreshWindow }

    /// The policy of a refresh that uses up nothing.
    public var rotation: RotationPolicy { .keepsToken }

    /// Returns true, because the client's credentials get the next token.
    public func canRefresh(_ tokens: TokenSet) -> Bool { true }

    /// Requests another token for the client's credentials.
    public func refresh(
        _ tokens: TokenSet,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        let start = clock.reading()
        do {
            let new = try await provider.tokens(for: parameters, dpopKey: tokens.dpopKey)
            return .refreshed(IssuedTokens(tokens: new, requestedAt: start))
        } catch {
            return RefreshOutcome(providerFailure: error, at: provider, mayEndSession: false)
        }
    }

    /// Whether an endpoint describes the client; always false.
    public var canValidate: Bool { false }

    /// Returns `unknown`, because no endpoint describes a client.
    public func validate(_ tokens: TokenSet, of user: SessionUser?) async -> SessionValidation { .unknown }

    /// Returns the access token, with its DPoP key if it has one.
    public func credential(for tokens: TokenSet) -> AccessCredential { base.credential(for: tokens) }

    /// The policy to revoke the access token, if the server has a revocation endpoint.
    public var signOutPolicy: SignOutPolicy { base.signOutPolicy }

    /// Revokes the access token.
    public func signOut(_ tokens: RevocableTokens) async -> RevocationResponse { await base.signOut(tokens) }

    /// Returns another server of this kind, or a provider of users' sessions, with this one's settings.
    public func sibling(_ record: AuthorityRecord) -> (any TokenAuthority)? {
        guard let other = try? ClientCredentialsFormat.authority(record) else { return base.sibling(record) }
        let there = ClientCredentialsAuthority(other.provider.with(provider.settings), parameters: other.parameters)
        return ClientCredentialsAuthority(there.base, there.parameters, there.record, clock: clock)
    }
}

extension SessionBackend {
    /// Returns the backend of a program that signs in with its own credentials, without a user.
    ///
    /// - Parameters:
    ///   - provider: The provider, with the program's registration there: a confidential client.
    ///   - parameters: The parameters of each request for a token.
    /// - Returns: The backend.
    public static func clientCredentials(
        _ provider: OpenIDProvider,
        _ parameters: ClientCredentialsParameters = ClientCredentialsParameters()
    ) -> SessionBackend {
        SessionBackend(ClientCredentialsAuthority(provider, parameters: parameters))
    }

    /// Returns the backend of a program that signs in with its own credentials at a server without OpenID Connect.
    ///
    /// - Parameters:
    ///   - provider: The server, with the program's registration there: a confidential client.
    ///   - parameters: The parameters of each request for a token.
    /// - Returns: The backend.
    public static func clientCredentials(
        _ provider: OAuthProvider,
        _ parameters: ClientCredentialsParameters = ClientCredentialsParameters()
    ) -> SessionBackend {
        .clientCredentials(provider.server, parameters)
    }
}

extension AuthorityKind {
    /// The kind of sessions of a program itself.
    public static let clientCredentials = AuthorityKind({ record in try ClientCredentialsFormat.authority(record) })
}
