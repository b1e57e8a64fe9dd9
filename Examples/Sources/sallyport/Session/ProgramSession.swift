// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import OpenIDConnect
import OpenIDSession
import SecureStore

/// A sign-in of a program itself, which later commands repeat.
struct ProgramLogin: Codable {
    enum Grant: String, Codable {
        case clientCredentials
        case jwtBearer

        /// The name within a sentence.
        var title: String { self == .clientCredentials ? "client credentials" : "JWT bearer" }
    }

    let provider: StoredProvider
    /// The APIs of the provider's profile.
    let resources: [String]
    let grant: Grant
    /// The user or account that a signed assertion is about.
    let subject: String?
    let target: TokenTarget
    let usesDPoP: Bool
}

/// The session of a program: its sign-in as the tool keeps it, and its tokens.
struct ProgramSession: KeptSession {
    let login: ProgramLogin
    let provider: OpenIDProvider
    let credentials: ProgramCredentials
    private let grant: ProgramGrant
    private let store: any SecureStore
    /// The mark of the sign-in; nil if it is not stored.
    private let mark: String?

    /// Creates the session of a sign-in; returns nil if a user signed in.
    ///
    /// - Throws: The errors of what can't be read.
    init?(
        _ client: StoredClient,
        signedInAs mark: String? = nil,
        in store: any SecureStore,
        settings: ProviderSettings
    ) throws {
        guard let login = client.program else { return nil }
        (self.login, self.store, self.mark) = (login, store, mark)
        provider = client.completing(try login.provider.provider(for: login.resources, settings: settings))
        grant = login.grant == .jwtBearer ? client.assertion(about: login.subject) : .clientCredentials
        credentials = ProgramCredentials(
            grant,
            at: provider,
            for: login.target,
            usesDPoP: login.usesDPoP,
            keptIn: store
        )
    }

    // MARK: The session

    var server: BaseURL { provider.metadata.issuer.baseURL }
    var anyProvider: OpenIDProvider? { provider }
    var apiKey: APIKey? { nil }
    var contractName: String { login.grant.rawValue }
    var title: String { "the session of the client \(Terminal.shown(provider.client.id) ?? "") at \(server)" }
    var protection: StoreProtection { get async { await store.protection } }
    var accessTokenLifetime: TokenLifetime? { get async { await credentials.knownTokens?.lifetime } }
    var isSenderConstrained: Bool { login.usesDPoP }
    var canRefresh: Bool { true }

    var missingScope: Scope? {
        get async {
            let granted = await credentials.knownTokens?.scope
            guard let granted, let requested = login.target.scope else { return nil }
            let missing = requested.values.filter { !granted.contains($0) }
            return missing.isEmpty ? nil : Scope(missing.joined(separator: " "))
        }
    }

    func name(of user: SessionUser?) -> String { "no user (\(login.grant.title))" }

    func checked() async throws -> (user: SessionUser?, isOnline: Bool) {
        do {
            _ = try await credentials.tokens()
            return (nil, true)
        } catch let error as OpenIDError {
            // The program may be allowed again, so only a sign-out ends the session.
            return (nil, !error.isRetryable)
        }
    }

    /// Gets the first token of a sign-in, or another one.
    func signIn() async throws {
        try await refusing({ "the sign-in (\($0))" }) { try await credentials.renew() }
    }

    /// Removes the sign-in and the tokens here, and then revokes the tokens.
    ///
    /// - Returns: The reason why a token was not revoked; nil if all were.
    /// - Throws: `SecureStoreError`; `CancellationError`.
    func signOut() async throws -> OpenIDError? {
        var failure: OpenIDError?
        // If the store can't be used now, it remembers the removals without a condition alone.
        do {
            try await credentials.revoke()
        } catch let error as OpenIDError {
            failure = error
        } catch let error as SecureStoreError where error.mayComeBack {
            failure = OpenIDError(.revocation, .unreachable, underlying: error)
            try await ProgramCredentials.removeStored(in: store)
        }
        do {
            try await StoredClients.endProgram(of: mark, in: store)
        } catch let error as SecureStoreError where error.mayComeBack {
            try await StoredClients.removeUnread(in: store)
        }
        return failure
    }

    /// Removes the token here, and revokes it if that is possible; those for other APIs end by themselves.
    func discardToken() async throws {
        guard let token = await credentials.knownTokens?.accessToken else { return }
        try await credentials.invalidate(token)
        try? await provider.revoke(token)
    }

    /// Returns whether another sign-in is the same one, with or without DPoP.
    func isSame(as other: ProgramSession) -> Bool {
        provider.metadata.issuer.identifier == other.provider.metadata.issuer.identifier
            && provider.client.id == other.provider.client.id && login.grant == other.login.grant
            && login.subject == other.login.subject && login.target == other.login.target
    }

    // MARK: Tokens

    var freshCredential: AccessCredential? { credentials.freshCredential }
    var allowedOrigins: Set<String>? { credentials.allowedOrigins }

    func credential() async throws -> AccessCredential { try await renewing { try await credentials.credential() } }

    func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
        try await renewing { try await credentials.credential(insteadOf: rejected) }
    }

    func currentToken(validFor span: Duration) async throws -> CurrentToken {
        let tokens = try await renewing { try await credentials.tokens(validFor: span) }
        return CurrentToken(token: tokens.accessToken, expiresAt: tokens.lifetime.expiresAt, scope: tokens.scope)
    }

    func tokens(for target: TokenTarget, by way: ResourceTokenGrant) async throws -> TokenSet {
        guard way == .refreshToken else { return try await credentials.exchange(for: target) }
        let other = ProgramCredentials(grant, at: provider, for: target, usesDPoP: login.usesDPoP, keptIn: store)
        return try await other.tokens()
    }

    func idToken(validFor span: Duration) async throws -> IDToken { throw AuthSessionError(.noIDToken) }

    func refresh() async throws { try await renewing { try await credentials.renew() } }

    func invalidate(_ rejected: AccessToken) async throws { try await credentials.invalidate(rejected) }

    func finish() async throws {}

    // MARK: Failures

    @discardableResult
    private func renewing<Value>(_ work: () async throws -> Value) async throws -> Value {
        try await refusing({ "the refresh (\($0)), and the session stays" }, work) {
            "Sign in again with the client's current --client-id and --client-secret-file, --private-key or "
                + "--workload-token."
        }
    }

    /// Says what the provider refused.
    @discardableResult
    private func refusing<Value>(
        _ refused: (String) -> String,
        _ work: () async throws -> Value,
        advice: (() -> String)? = nil
    ) async throws -> Value {
        do {
            return try await work()
        } catch let error as OpenIDError where error.operation == .token && error.code == .refused {
            let code = error.oauthCode?.rawValue
            throw Failure(
                .failed,
                "The provider refused \(refused(code ?? "no reason given")).\(Failure.said(error.serverMessage))",
                advice?() ?? Failure.advice(forOAuthCode: code)
            )
        }
    }
}
