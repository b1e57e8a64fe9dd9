// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import ArgumentParser
import AuthCore
import AuthSession
import FoundationEssentials
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
            sallyport login --issuer URL --client-id ID --client-credentials \
            (--client-secret-file FILE | --private-key FILE | --workload-token FILE)
            sallyport login --issuer URL --client-id ID --jwt-bearer \
            (--private-key FILE [--subject NAME] | --workload-token FILE)
            sallyport login --step-up [--acr-values VALUES] [--max-age SECONDS]
            sallyport login --backend URL --email ADDRESS [--password-stdin] [--no-remember]
            sallyport login --backend URL --apple [--client-id BUNDLE-ID]
            """,
        discussion: """
            At a provider the sign-in happens in the browser, or with --device on another device. --provider names one \
            of google, microsoft, auth0, okta, keycloak, cognito, gitlab and github, whose rules the tool knows. With an \
            e-mail address the password is requested, or read from standard input with --password-stdin. The API key of an \
            app, if the backend requires one, comes from the environment variable SALLYPORT_API_KEY and is kept with the \
            session. --step-up signs in again at the session's provider, as an API requires, or with another --scope: \
            sallyport api prints the command.
            """,
        examples: [
            Example("Sign in in the browser", "login --issuer https://id.example.com --client-id ID"),
            Example("Sign in at Microsoft on another device", "login --provider microsoft --client-id ID --device"),
            Example("Keep a second session", "login --provider gitlab --client-id ID --profile work"),
            Example("Sign in at a backend", "login --backend https://api.example.com --email ADDRESS"),
        ]
    )

    @OptionGroup(title: "Common options") var serverOptions: ServerOptions

    @OptionGroup var providerOptions: ProviderOptions

    @OptionGroup(title: "Client") var client: ClientOptions

    @OptionGroup(title: "OAuth 2.0") var oauth: OAuthOptions

    @OptionGroup(title: "Browser") var browserOptions: BrowserOptions

    @OptionGroup(title: "Backend") var backendOptions: BackendOptions

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    @Flag(name: .long, help: "Print the access token on standard output.")
    var printToken = false

    @Flag(name: .long, help: "Print the signed-in user as one JSON object.")
    var json = false

    mutating func validate() throws {
        guard !(json && printToken) else { throw ValidationError("Give either --json or --print-token.") }
        try providerOptions.scope.map { try Scope.check($0) }
        if providerOptions.request.stepUp { return try validateStepUp() }
        guard isAtProvider != (serverOptions.backend != nil) else {
            throw ValidationError("Give either --issuer URL or --backend URL.")
        }
        if isAtProvider { try validateProvider() } else { try validateBackend() }
        let isAppleInBrowser = backendOptions.apple && backendOptions.appleIssuer == nil
        guard !isAppleInBrowser || browserOptions.redirectHost != .localhost else {
            throw ValidationError("--apple can't be used with --redirect-host localhost.")
        }
        if let wrong = optionsOfAnotherWay {
            throw ValidationError("\(wrong) can't be used with this kind of sign-in.")
        }
    }

    private func validateBackend() throws {
        if let option = client.programOption {
            throw ValidationError("\(option) needs a provider: give --issuer URL in place of --backend URL.")
        }
        guard backendOptions.apple != (backendOptions.email != nil) else {
            throw ValidationError("Give either --email ADDRESS or --apple.")
        }
    }

    private func validateStepUp() throws {
        let ofFirstSignIn: [String?] = [
            serverOptions.issuer.map { _ in "--issuer" }, providerOptions.provider.map { _ in "--provider" },
            providerOptions.tenant.map { _ in "--tenant" }, providerOptions.clientID.map { _ in "--client-id" },
            oauth.oauth ? "--oauth" : nil, serverOptions.backend.map { _ in "--backend" }, backendOptions.given.first,
            client.given.first,
        ]
        if let wrong = ofFirstSignIn.compactMap(\.self).first {
            throw ValidationError("\(wrong) can't be used with --step-up, because the session knows it.")
        }
        try validatePaste()
    }

    private func validateProvider() throws {
        guard providerOptions.tenant == nil || serverOptions.issuer != nil || providerOptions.provider != nil else {
            throw ValidationError("--tenant needs --provider microsoft.")
        }
        guard oauth.tokenEndpoint == nil || !isGitHub else {
            throw ValidationError("The endpoints of GitHub are known; leave out --token-endpoint.")
        }
        guard !backendOptions.apple, backendOptions.email == nil else {
            throw ValidationError("--email and --apple need --backend.")
        }
        guard providerOptions.clientID != nil else {
            // Most known providers register no clients.
            guard serverOptions.issuer != nil || oauth.oauth else {
                throw ValidationError("--provider needs --client-id ID.")
            }
            let named = serverOptions.issuer != nil ? "--issuer" : "--oauth"
            throw ValidationError("\(named) needs --client-id ID; an empty one registers a client.")
        }
        guard !oauth.oauth || isServerNamed else {
            throw ValidationError(
                "--oauth needs --issuer URL, --resource URL, or --authorization-endpoint URL and --token-endpoint URL."
            )
        }
        try client.check(clientID: providerOptions.clientID, hasCertificate: global.certificate != nil)
        if let secret = client.credentials.first, !isProviderNamed {
            // The API alone would say to whom the secret is sent.
            throw ValidationError("\(secret) needs --issuer URL, or --token-endpoint URL.")
        }
        if let option = client.programOption {
            guard let wrong = providerOptions.ofUser ?? browserOptions.given.first else { return }
            throw ValidationError("\(wrong) can't be used with \(option).")
        }
        guard oauth.oauth || providerOptions.scope.map({ Scope($0).contains("openid") }) ?? true || isGitHub else {
            throw ValidationError(providerOptions.scope.flatMap(Scope.slip) ?? "--scope must contain openid.")
        }
        try validatePaste()
    }

    private func validatePaste() throws {
        guard !(browserOptions.paste && providerOptions.device) else {
            throw ValidationError("--paste can't be used with --device.")
        }
    }

    private var isAtProvider: Bool { serverOptions.issuer != nil || providerOptions.provider != nil || oauth.oauth }

    private var isProviderNamed: Bool {
        serverOptions.issuer != nil || providerOptions.provider != nil || oauth.tokenEndpoint != nil
    }

    /// Whether the arguments name the server, or an API that names it.
    private var isServerNamed: Bool { isProviderNamed || !providerOptions.resource.isEmpty }

    private var isGitHub: Bool {
        let (name, issuer) = (providerOptions.provider, serverOptions.issuer)
        return (try? ProviderAddress(name, issuer, tenant: providerOptions.tenant))?.isGitHub ?? false
    }

    /// The first given option that doesn't apply to this kind of sign-in, or nil if all apply.
    private var optionsOfAnotherWay: String? {
        let ofProvider = providerOptions.given + client.given
        let provider = ofProvider + (providerOptions.clientID == nil ? [] : ["--client-id"])
        let password = backendOptions.passwordStdin ? ["--password-stdin"] : []
        let appleIssuer = backendOptions.appleIssuer == nil ? [] : ["--apple-issuer"]
        if isAtProvider { return (password + appleIssuer).first }
        if backendOptions.apple { return (password + ofProvider + (browserOptions.paste ? ["--paste"] : [])).first }
        return (provider + browserOptions.given + appleIssuer).first
    }

    func run() async throws {
        if let scope = providerOptions.scope, let slip = Scope.slip(in: scope) { Terminal.note(slip) }
        if providerOptions.request.stepUp { return try await signInAgain() }
        let login: OpenIDLogin? =
            isAtProvider
            ? try await OpenIDLogin(
                providerOptions,
                client,
                oauth,
                browserOptions,
                issuer: serverOptions.issuer.map { ProviderAddress.issuer(in: $0) },
                settings: try global.providerSettings()
            ) : nil
        // Before any request, so that two different passphrases leave no registered client behind.
        let store = try global.place().open(creating: !backendOptions.noRemember)
        let provider = try await login?.provider(in: store)
        let usesCertificate = global.certificate != nil
        let stored = provider.flatMap { login?.storedClient(at: $0, usesCertificate: usesCertificate) }
        if let stored, let program = stored.program {
            return try await signIn(program, stored, in: store)
        }
        let server = try await backend(provider, in: store)
        let session = AuthSession(
            backend: server,
            store: store,
            transport: try global.transport(),
            timeout: global.timeout,
            logger: global.logger
        )
        OpenSessions.add(session)
        let replaced = await global.storedSession(in: store, notAt: server)
        // Read now, because the sign-in may end that session.
        let title = backendOptions.noRemember ? nil : replaced?.title
        let user = try await completing(session) {
            if let login { return try await login.signIn(to: session, in: store) }
            return try await signInAtBackend(session)
        }
        // The tokens end by themselves if they can't be revoked.
        _ = try? await (replaced as? ProgramSession)?.signOut()
        if backendOptions.noRemember {
            // Those of the session that this sign-in has replaced.
            try await StoredClients.removeUnused(in: store)
        } else {
            let backend = StoredClient(authority: server.authority.id, usesCertificate: usesCertificate)
            try await StoredClients.save(stored ?? backend, in: store)
        }
        try await report(user, session, replaced: title)
    }

    /// Returns the backend once the store can be used; a session there also revokes tokens of earlier clients.
    private func backend(_ provider: OpenIDProvider?, in store: any SecureStore) async throws -> SessionBackend {
        let backend: SessionBackend = try provider.map { .openID($0) } ?? firstPartyBackend()
        guard !backendOptions.noRemember else { return backend }
        let kinds = try await clients(in: store).kinds(sendingWithCertificate: global.certificate != nil)
        return SessionBackend(backend.authority, revokingAt: kinds)
    }

    /// Returns the clients that the store holds, once it can be written and its items read.
    ///
    /// They may be in another keyring than new items. If they can't be read, they could not be saved after the sign-in.
    private func clients(in store: any SecureStore) async throws -> StoredClients {
        try await Terminal.unlocking(store) {
            try await store.probe()
            _ = try await store.item(forKey: StoreKey("session"))
            return try await .stored(in: store)
        }
    }

    /// Signs a program in: gets a token in any case, because the credentials may differ from those that work.
    private func signIn(
        _ program: ProgramLogin,
        _ stored: StoredClient,
        in store: any SecureStore
    ) async throws {
        guard let session = try ProgramSession(stored, in: store, settings: try global.providerSettings())
        else { throw ExitStatus.wrongArguments }
        _ = try await clients(in: store)
        let old = try? await global.storedSession(in: store, noteUnsent: { _ in })
        let title = old?.title
        try await session.signIn()
        var isSame = false
        if let user = old as? AuthSession { await user.signOut() }
        if let other = old as? ProgramSession {
            isSame = other.isSame(as: session)
            if !isSame || other.login.usesDPoP != program.usesDPoP { try await other.discardToken() }
        }
        try await StoredClients.save(stored, in: store)
        try await report(nil, session, replaced: isSame ? nil : title)
    }

    /// Signs the session's user in again, as an API requires.
    private func signInAgain() async throws {
        let session = try await global.storedProviderSession()
        try await session.probeStore()
        let login = try await UserLogin(
            providerOptions,
            browserOptions,
            at: session.provider?.profile ?? .standard
        )
        let options = providerOptions.parameters
        let challenge = StepUpChallenge(acrValues: options.acrValues, maxAge: options.maximumAge)
        let user = try await completing(session) {
            try await login.signIn(to: session, try await session.stepUpParameters(for: challenge, options))
        }
        try await report(user, session)
    }

    /// Performs a sign-in, and saves its session.
    private func completing(
        _ session: AuthSession,
        _ signIn: () async throws -> SessionUser?
    ) async throws -> SessionUser? {
        let user: SessionUser?
        do {
            user = try await signIn()
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
        return user
    }

    private func firstPartyBackend() throws -> SessionBackend {
        .firstParty(
            baseURL: try BaseURL(serverOptions.backend ?? ""),
            contract: backendOptions.apple ? .sessionToken : .tokenPair,
            apiKey: try Self.apiKey()
        )
    }

    /// Returns the app's API key, from the environment because every user of the machine can read arguments.
    ///
    /// No other command reads it, so that the key goes to the backend of this sign-in alone.
    private static func apiKey() throws -> APIKey? {
        guard let text = ProcessInfo.processInfo.environment["SALLYPORT_API_KEY"], !text.isEmpty else { return nil }
        do {
            return try APIKey(text)
        } catch {
            throw Failure(
                .wrongArguments,
                error.description,
                "Check SALLYPORT_API_KEY: an API key is printable ASCII without spaces."
            )
        }
    }

    private func signInAtBackend(_ session: AuthSession) async throws -> SessionUser? {
        try await backendOptions.signIn(
            to: session,
            clientID: providerOptions.clientID,
            browser: browserOptions.browser(
                browserOptions.redirect(),
                ways: "forward the port of --redirect-port with ssh -L PORT:127.0.0.1:PORT"
            ),
            settings: try global.providerSettings()
        )
    }

    private func report(
        _ user: SessionUser?,
        _ session: any KeptSession,
        replaced title: String? = nil
    ) async throws {
        if printToken {
            Terminal.result(try await session.currentToken(validFor: .zero).token.unredacted)
        } else if json {
            try JSONOutput.print(LoginReport(user, session, profile: global.profile))
        }
        let protection = await session.protection
        let place =
            if backendOptions.noRemember || protection == .memory {
                "the session ends with this command"
            } else {
                "the session is kept in the \(protection)"
            }
        Terminal.note("Signed in as \(session.name(of: user)); \(place).")
        if let title { Terminal.note("This sign-in replaced \(title).") }
        for note in await SessionShortfall(session).notes { Terminal.note(note) }
    }
}

extension AuthSessionError {
    /// Whether the address itself may be wrong, because it sent no response.
    fileprivate var isWithoutResponse: Bool {
        // The backend reported it, in its redirect.
        if serverCode != nil { return false }
        if let error = underlying as? OpenIDError, error.operation == .token { return error.code == .unreachable }
        return (underlying as? APIError)?.status == nil
    }
}
