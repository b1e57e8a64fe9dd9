import APIClient
import ArgumentParser
import AuthCore
import AuthSession
import OpenIDConnect
import OpenIDSession
import SecureStore

/// `sallyport login`: signs in at an OpenID provider or at a first-party backend.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in at an OpenID provider, or at a backend with e-mail and password or with Apple.",
        usage: """
            sallyport login --issuer URL --client-id ID [--device] [options]
            sallyport login --provider NAME [--issuer URL] --client-id ID [--client-secret-file FILE] [--device]
            sallyport login --oauth (--issuer URL | --authorization-endpoint URL --token-endpoint URL | --resource URL) \
            --client-id ID
            sallyport login --issuer URL --client-id ID --client-credentials (--client-secret-file FILE | --private-key FILE)
            sallyport login --backend URL --email ADDRESS [--password-stdin] [--no-remember]
            sallyport login --backend URL --apple [--client-id BUNDLE-ID]
            """,
        discussion: """
            At a provider the sign-in happens in the browser, or with --device on another device. --provider names one \
            of google, microsoft, auth0, okta, keycloak, cognito, gitlab and github, whose rules the tool knows. With an \
            e-mail \
            address the password is requested, or read from standard input with --password-stdin. The API key of an \
            app, if the backend requires one, comes from the environment variable SALLYPORT_API_KEY.
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(name: .long, help: "The provider's issuer identifier.")
    var issuer: String?

    @OptionGroup(title: "Provider") var providerOptions: ProviderOptions

    @OptionGroup(title: "OAuth 2.0") var oauth: OAuthOptions

    @OptionGroup(title: "Browser") var browserOptions: BrowserOptions

    @Option(name: .long, help: "The backend's address.")
    var backend: String?

    @Option(name: .long, help: "Sign in with this e-mail address and a password.")
    var email: String?

    @Flag(name: .long, help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    @Flag(name: .long, help: "Keep nothing: the session ends with this command.")
    var noRemember = false

    @Flag(name: .long, help: "Sign in with Apple, in the browser.")
    var apple = false

    @Option(name: .long, help: "For tests: a provider that issues the identity token in place of Apple.")
    var appleIssuer: String?

    @Flag(name: .long, help: "Print the access token on standard output.")
    var printToken = false

    @Flag(name: .long, help: "Print the signed-in user as one JSON object.")
    var json = false

    mutating func validate() throws {
        guard isAtProvider != (backend != nil) else {
            throw ValidationError("Give either --issuer URL or --backend URL.")
        }
        if isAtProvider {
            try validateProvider()
        } else {
            guard apple != (email != nil) else { throw ValidationError("Give either --email ADDRESS or --apple.") }
        }
        guard !apple || appleIssuer != nil || browserOptions.redirectHost != .localhost else {
            throw ValidationError("--apple can't be used with --redirect-host localhost.")
        }
        guard !noRemember || email != nil else {
            throw ValidationError("--no-remember needs --email; otherwise use --store memory.")
        }
        if let wrong = optionsOfAnotherWay {
            throw ValidationError("\(wrong) can't be used with this kind of sign-in.")
        }
        guard !(json && printToken) else { throw ValidationError("Give either --json or --print-token.") }
    }

    private func validateProvider() throws {
        guard providerOptions.tenant == nil || issuer != nil || providerOptions.provider != nil else {
            throw ValidationError("--tenant needs --provider microsoft.")
        }
        guard oauth.tokenEndpoint == nil || !isGitHub else {
            throw ValidationError("The endpoints of GitHub are known; leave out --token-endpoint.")
        }
        guard !apple, email == nil else { throw ValidationError("--email and --apple need --backend.") }
        guard providerOptions.clientID != nil else {
            throw ValidationError("--issuer needs --client-id ID; an empty one registers a new client.")
        }
        guard !oauth.oauth || isServerNamed else {
            throw ValidationError(
                "--oauth needs --issuer URL, --resource URL, or --authorization-endpoint URL and --token-endpoint URL."
            )
        }
        if providerOptions.clientCredentials {
            guard let wrong = browserOptions.given.first else { return try validateCredentials() }
            throw ValidationError("\(wrong) can't be used with --client-credentials.")
        }
        guard oauth.oauth || providerOptions.scope.map({ Scope($0).contains("openid") }) ?? true || isGitHub else {
            throw ValidationError("--scope must contain openid.")
        }
        try validateCredentials()
        guard !(browserOptions.paste && providerOptions.device) else {
            throw ValidationError("--paste can't be used with --device.")
        }
    }

    private func validateCredentials() throws {
        // The API alone would say to whom the secret is sent.
        let secret = providerOptions.given.first { ["--client-secret-file", "--private-key"].contains($0) }
        if let secret, !isProviderNamed {
            throw ValidationError("\(secret) needs --issuer URL, or --token-endpoint URL.")
        }
    }

    private var isAtProvider: Bool { issuer != nil || providerOptions.provider != nil || oauth.oauth }

    private var isProviderNamed: Bool {
        issuer != nil || providerOptions.provider != nil || oauth.tokenEndpoint != nil
    }

    /// Whether the arguments name the server, or an API that names it.
    private var isServerNamed: Bool { isProviderNamed || !providerOptions.resource.isEmpty }

    private var isGitHub: Bool {
        let address = try? ProviderAddress(providerOptions.provider, issuer, tenant: providerOptions.tenant)
        return address?.isGitHub ?? false
    }

    /// The first given option that doesn't apply to this kind of sign-in, or nil if all apply.
    private var optionsOfAnotherWay: String? {
        let provider = providerOptions.given + (providerOptions.clientID == nil ? [] : ["--client-id"])
        let password = passwordStdin ? ["--password-stdin"] : []
        if isAtProvider { return (password + (appleIssuer == nil ? [] : ["--apple-issuer"])).first }
        if apple { return (password + providerOptions.given + (browserOptions.paste ? ["--paste"] : [])).first }
        return (provider + browserOptions.given + (appleIssuer == nil ? [] : ["--apple-issuer"])).first
    }

    func run() async throws {
        let login: OpenIDLogin? =
            isAtProvider
            ? try await OpenIDLogin(
                providerOptions,
                oauth,
                browserOptions,
                issuer: issuer,
                settings: try global.providerSettings()
            ) : nil
        let session = AuthSession(
            backend: try await login?.backend() ?? firstPartyBackend(),
            store: try global.openStore(),
            transport: try global.transport(),
            timeout: global.timeout,
            logger: global.logger
        )
        OpenSessions.add(session)
        let user: SessionUser?
        do {
            user = if let login { try await login.signIn(to: session) } else { try await signInAtBackend(session) }
        } catch let error as AuthSessionError where error.code == .unreachable && error.isWithoutResponse {
            let address = session.backend.baseURL.description
            let advice = "Check the address \(address), or try again later."
            throw Failure(.unreachable, error.description, Failure.connectionAdvice(error.underlying, else: advice))
        } catch let error as AuthSessionError where error.code == .unreachable {
            let wait = error.retryAfter.map { "Try again in \($0.components.seconds) seconds." }
            throw Failure(
                .unreachable,
                error.description,
                wait ?? "The sign-in was not completed; try again later."
            )
        }
        try await session.finish()
        try await report(user, session)
    }

    private func firstPartyBackend() throws -> SessionBackend {
        .firstParty(
            baseURL: try BaseURL(backend ?? ""),
            contract: apple ? .sessionToken : .tokenPair,
            apiKey: try APIKeySetting.read()
        )
    }

    private func signInAtBackend(_ session: AuthSession) async throws -> SessionUser? {
        if let email { return try await signIn(email: email, to: session) }
        return try await AppleLogin(
            issuer: appleIssuer,
            clientID: providerOptions.clientID ?? "com.goumuve.app",
            browser: browserOptions.browser(browserOptions.redirect()),
            settings: try global.providerSettings()
        ).signIn(to: session)
    }

    private func signIn(email: String, to session: AuthSession) async throws -> SessionUser? {
        let isRemembered = !noRemember
        if isRemembered { try await session.probeStore() }
        let text = passwordStdin ? try StandardInput.readPassword() : try askForPassword()
        return try await session.signIn(
            email: email,
            password: Password(text),
            rememberMe: isRemembered,
            device: DeviceInfo.current(appVersion: Sallyport.configuration.version, app: "sallyport")
        )
    }

    private func askForPassword() throws -> String {
        try StandardInput.askHidden("Password:", instead: "Pass it on standard input with --password-stdin.")
    }

    private func report(_ user: SessionUser?, _ session: AuthSession) async throws {
        if printToken {
            Terminal.result(try await session.accessToken().unredacted)
        } else if json {
            try JSONOutput.print(Report(user, session, profile: global.profile))
        }
        let program = session.backend.clientCredentials == nil ? nil : "no user (client credentials)"
        let name = program ?? (user?.displayName ?? user?.id).flatMap { Terminal.shown($0) } ?? "an unnamed user"
        let protection = await session.protection
        let place =
            if noRemember || protection == .memory {
                "the session ends with this command"
            } else {
                "the session is kept in the \(protection)"
            }
        Terminal.note("Signed in as \(name); \(place).")
        for note in await SessionShortfall(session).notes { Terminal.note(note) }
    }

    private struct Report: Encodable {
        let profile: String
        let backend: String?
        let user: SessionUser?
        let issuer: String?
        let clientID: String?
        let sub: String?

        init(_ user: SessionUser?, _ session: AuthSession, profile: String) {
            let provider = session.backend.provider ?? session.backend.clientCredentials?.provider
            self.profile = profile
            self.user = user
            backend = provider == nil ? session.backend.baseURL.description : nil
            issuer = provider?.metadata.issuer.identifier
            clientID = provider?.client.id
            sub = provider == nil ? nil : user?.id
        }
    }
}

extension AuthSessionError {
    /// Whether the address itself may be wrong, because it sent no response.
    fileprivate var isWithoutResponse: Bool {
        // The backend reported it, in its redirect.
        if serverCode != nil { return false }
        if let error = underlying as? TokenEndpointError { return error.code == .unreachable }
        return (underlying as? APIError)?.status == nil
    }
}
