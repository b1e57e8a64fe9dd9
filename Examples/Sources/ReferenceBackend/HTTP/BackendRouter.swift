// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import Hummingbird
internal import ResourceServer

/// The composition of the backend: the dependencies of each route, and the middleware before all of them.
enum BackendRouter {
    /// The allowed methods of each path of the contracts.
    static let methods: [String: Set<String>] = [
        "/health": ["GET"],
        "/api/auth/apple": ["POST"],
        "/api/auth/apple/start": ["GET"],
        "/api/auth/apple/callback": ["POST"],
        "/api/auth/apple/redeem": ["POST"],
        "/api/auth/validate": ["POST"],
        "/api/auth/refresh": ["POST"],
        "/api/v1/auth/login": ["POST"],
        "/api/v1/auth/refresh": ["POST"],
        "/api/v1/auth/logout": ["POST"],
        "/api/me": ["GET", "PUT"],
        "/api/notifications/token": ["POST"],
        "/api/jobs": ["GET", "POST"],
    ]

    static func make(
        settings: BackendSettings,
        database: BackendDatabase,
        issuers: [IdentityTokenIssuer],
        client: HTTPClient,
        statistics: BackendStatistics
    ) async throws -> Router<BackendContext> {
        let keys = try await ServerKeys(database: database)
        let sessionSigner = BearerTokenSigner(audience: .session, serverKeys: keys)
        let accessSigner = BearerTokenSigner(audience: .access, serverKeys: keys)
        let accounts = AccountStore(database: database)
        let families = FamilyStore(
            database: database,
            lifetime: settings.refreshTokenLifetime,
            grace: settings.refreshGrace,
            now: settings.now,
            onRefresh: settings.onRefresh
        )
        let bearer = BearerAuthenticator(
            sessionSigner: sessionSigner,
            accessSigner: accessSigner,
            accounts: accounts,
            families: families,
            refuseEarly: settings.refuseEarly,
            longestSession: settings.longestSession,
            now: settings.now
        )
        let profile = RequiredProfile(members: settings.requiredProfile)
        let devices = DeviceTokenStore(database: database, now: settings.now)
        let limiter = SignInLimiter(
            networks: settings.signInLimit,
            accounts: settings.accountSignInLimit,
            now: settings.now
        )

        var methods = Self.methods
        if settings.provider != nil { methods[ProviderJobRoutes.path] = ["GET"] }
        let router = Router(context: BackendContext.self)
        router.add(
            middleware: RequestLogMiddleware(logger: settings.logger, statistics: statistics, methods: methods)
        )
        if let proxy = settings.trustedProxy { router.add(middleware: TrustedProxyMiddleware(proxy: proxy)) }
        if let key = settings.apiKey { router.add(middleware: APIKeyMiddleware(key: key)) }
        let trusted = trusted(settings: settings, issuers: issuers, client: client)
        let sessionIssuer = SessionTokenIssuer(
            signer: sessionSigner,
            lifetime: settings.sessionTokenLifetime,
            longestSession: settings.longestSession,
            now: settings.now,
            onIssue: settings.onIssue
        )
        AppleRedirectRoutes(
            signIn: AppleRedirectSignIn(
                provider: try redirectProvider(settings: settings, trusted: trusted, client: client),
                accounts: accounts,
                limiter: limiter,
                settings: settings
            ),
            issuer: sessionIssuer,
            profile: profile
        ).add(to: router)
        SessionTokenRoutes(
            signIn: AppleSignIn(
                verifier: IdentityTokenVerifier(
                    trusted: trusted,
                    audiences: Set(settings.clients.keys),
                    now: settings.now
                ),
                accounts: accounts,
                limiter: limiter,
                clients: settings.clients,
                acceptsUserIdentifier: settings.insecurelyAcceptsUserIdentifier,
                logger: settings.logger
            ),
            issuer: sessionIssuer,
            bearer: bearer,
            profile: profile
        ).add(to: router)
        TokenPairRoutes(
            accounts: accounts,
            families: families,
            issuer: TokenPairIssuer(
                signer: accessSigner,
                refreshKey: keys.key(for: "refresh token"),
                lifetime: settings.accessTokenLifetime,
                onIssue: settings.onIssue
            ),
            passwords: PasswordChecker(cost: settings.passwordCost),
            limiter: limiter,
            bearer: bearer,
            profile: profile
        ).add(to: router)
        ProfileRoutes(bearer: bearer, accounts: accounts, profile: profile).add(to: router)
        NotificationRoutes(bearer: bearer, devices: devices).add(to: router)
        let jobs = JobStore(database: database)
        JobRoutes(bearer: bearer, jobs: jobs).add(to: router)
        if let provider = settings.provider {
            ProviderJobRoutes(provider: provider, jobs: jobs, client: client, now: settings.now).add(to: router)
        }
        return router
    }

    private static func trusted(
        settings: BackendSettings,
        issuers: [IdentityTokenIssuer],
        client: HTTPClient
    ) -> [IdentityTokenVerifier.Trusted] {
        issuers.map { issuer in
            IdentityTokenVerifier.Trusted(
                issuer: issuer,
                keys: RemoteJWKSet(
                    jwksURI: issuer.jwksURI,
                    // For the stand-in on this machine. Apple's own address is https.
                    insecurelyAllowHTTP: true,
                    client: client,
                    lifetime: .seconds(86_400),
                    now: settings.now
                )
            )
        }
    }

    /// Returns Apple, or its stand-in if there is one, for sign-ins that the backend carries out.
    ///
    /// - Throws: ``BackendStartError`` (`invalidAppleSettings`).
    private static func redirectProvider(
        settings: BackendSettings,
        trusted: [IdentityTokenVerifier.Trusted],
        client: HTTPClient
    ) throws -> AppleRedirectProvider? {
        guard let registration = settings.appleRegistration, let apple = trusted.last else { return nil }
        return AppleRedirectProvider(
            registration: registration,
            issuer: apple.issuer,
            tokens: AppleTokenClient(
                client: client,
                url: apple.issuer.tokenEndpoint,
                secret: try AppleClientSecret(registration, now: settings.now, onIssue: settings.onIssue),
                logger: settings.logger
            ),
            verifier: IdentityTokenVerifier(
                trusted: [apple],
                audiences: Set(registration.servicesIDs.values),
                now: settings.now
            )
        )
    }
}
