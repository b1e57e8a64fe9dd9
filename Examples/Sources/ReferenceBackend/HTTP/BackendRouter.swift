internal import AsyncHTTPClient
internal import Hummingbird

/// The composition of the backend: the dependencies of each route, and the middleware before all of them.
enum BackendRouter {
    /// The allowed methods of each path.
    static let methods: [String: Set<String>] = [
        "/health": ["GET"],
        "/api/auth/apple": ["POST"],
        "/api/auth/validate": ["POST"],
        "/api/auth/refresh": ["POST"],
        "/api/v1/auth/login": ["POST"],
        "/api/v1/auth/refresh": ["POST"],
        "/api/v1/auth/logout": ["POST"],
        "/api/me": ["GET"],
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
        let sessionSigner = await BearerTokenSigner(audience: .session, serverKeys: keys)
        let accessSigner = await BearerTokenSigner(audience: .access, serverKeys: keys)
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
        let limiter = SignInLimiter(
            networks: settings.signInLimit,
            accounts: settings.accountSignInLimit,
            now: settings.now
        )

        let router = Router(context: BackendContext.self)
        router.add(
            middleware: RequestLogMiddleware(logger: settings.logger, statistics: statistics, methods: methods)
        )
        if let key = settings.apiKey { router.add(middleware: APIKeyMiddleware(key: key)) }
        SessionTokenRoutes(
            signIn: AppleSignIn(
                verifier: verifier(settings: settings, issuers: issuers, client: client),
                accounts: accounts,
                limiter: limiter,
                clients: settings.clients,
                acceptsUserIdentifier: settings.insecurelyAcceptsUserIdentifier,
                logger: settings.logger
            ),
            issuer: SessionTokenIssuer(
                signer: sessionSigner,
                lifetime: settings.sessionTokenLifetime,
                longestSession: settings.longestSession,
                now: settings.now,
                onIssue: settings.onIssue
            ),
            bearer: bearer
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
            bearer: bearer
        ).add(to: router)
        JobRoutes(bearer: bearer, jobs: JobStore(database: database)).add(to: router)
        return router
    }

    private static func verifier(
        settings: BackendSettings,
        issuers: [IdentityTokenIssuer],
        client: HTTPClient
    ) -> IdentityTokenVerifier {
        let trusted = issuers.map { issuer in
            let fetcher = KeySetFetcher(client: client, url: issuer.jwksURI)
            return IdentityTokenVerifier.Trusted(
                issuer: issuer,
                keys: KeySetCache(now: settings.now) { try await fetcher.fetch() }
            )
        }
        return IdentityTokenVerifier(
            trusted: trusted,
            audiences: Set(settings.clients.keys),
            now: settings.now
        )
    }
}
