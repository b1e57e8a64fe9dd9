import APIClient
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession
import SecureStore

/// A sign-in at an OpenID provider, or with OAuth 2.0 alone, in the browser or on another device.
struct OpenIDLogin: Sendable {
    let options: ProviderOptions
    let oauth: OAuthOptions
    let browserOptions: BrowserOptions
    /// The provider; nil if only its endpoints or the API are known.
    let address: ProviderAddress?
    /// The redirect, with a fixed port if a client is registered, because registration needs it.
    let redirect: LoopbackRedirect
    let settings: ProviderSettings
    private let help = BrowserHelp()

    init(
        _ options: ProviderOptions,
        _ oauth: OAuthOptions,
        _ browserOptions: BrowserOptions,
        issuer: String?,
        settings: ProviderSettings
    ) async throws {
        self.options = options
        self.oauth = oauth
        self.browserOptions = browserOptions
        self.settings = settings
        let isNamed = issuer != nil || options.provider != nil
        address = isNamed ? try ProviderAddress(options.provider, issuer, tenant: options.tenant) : nil
        var redirect = browserOptions.redirect(address?.profile ?? .standard)
        if redirect.port == 0, options.clientID?.isEmpty == true || browserOptions.paste {
            redirect.port = try await Self.freePort(for: redirect)
        }
        self.redirect = redirect
    }

    /// Returns the provider with this tool's client there.
    func backend() async throws -> SessionBackend {
        // Read first, so that an error is reported before any request.
        let secret = try options.clientSecretFile.map { try Self.secret(in: $0) }
        let key = try options.privateKey.map { try Self.key(in: $0, keyID: options.keyID) }
        let metadata = try await metadata()
        if options.dpop, metadata.dpopSigningAlgValuesSupported == nil {
            throw Failure(.failed, "The provider does not announce DPoP support.", "Try without --dpop.")
        }
        let client = try await client(secret, key, at: metadata)
        guard isPlainOAuth else {
            let provider = OpenIDProvider(metadata: metadata, client: client, settings: settings)
            guard options.clientCredentials else { return .openID(provider) }
            return .clientCredentials(provider, options.clientParameters)
        }
        let user = try oauth.userinfoEndpoint.map { try EndpointURL($0, of: metadata.issuer) }
        let userEndpoint = user.map { OAuthUserEndpoint(url: $0) }
        let server = OAuthProvider(metadata: metadata, client: client, userEndpoint: userEndpoint, settings: settings)
        return options.clientCredentials ? .clientCredentials(server, options.clientParameters) : .oauth(server)
    }

    private var isPlainOAuth: Bool { oauth.oauth || address?.isGitHub ?? false }

    private func metadata() async throws -> ProviderMetadata {
        guard isPlainOAuth else {
            return try await ProviderMetadata.discover(issuer: try required(address).issuer, settings: settings)
        }
        if let authorization = oauth.authorizationEndpoint, let token = oauth.tokenEndpoint {
            // Without an issuer, the origin of the token endpoint names the server.
            let issuer = forResources(try address?.issuer ?? Issuer(try AbsoluteURL(token).origin))
            return try .endpoints(
                of: issuer,
                authorizationEndpoint: authorization,
                tokenEndpoint: token,
                deviceAuthorizationEndpoint: oauth.deviceEndpoint
            )
        }
        if address == nil, let resource = options.resource.first {
            let metadata = try await OAuthProvider.metadata(ofResource: resource, settings: settings)
            let issuer = Terminal.shown(metadata.issuer.identifier) ?? ""
            Terminal.note("The API at \(resource) has the authorization server \(issuer).")
            return metadata
        }
        let address = try required(address)
        if address.isGitHub { return try .github(server: address.issuer.baseURL) }
        return try await ProviderMetadata.discover(
            authorizationServer: forResources(address.issuer),
            settings: settings
        )
    }

    /// Returns the issuer with the resources of the arguments in its profile, so that each request names them.
    private func forResources(_ issuer: Issuer) -> Issuer {
        guard !options.resource.isEmpty else { return issuer }
        var profile = issuer.profile
        profile.resources = options.resource
        if profile.name == ProviderProfile.standard.name { profile.scope = "" }
        return issuer.with(profile)
    }

    private func required(_ address: ProviderAddress?) throws -> ProviderAddress {
        guard let address else { throw Failure(.wrongArguments, "No provider is named.", "Give --issuer URL.") }
        return address
    }

    func signIn(to session: AuthSession) async throws -> SessionUser? {
        try await session.probeStore()
        if options.clientCredentials {
            try await signInAsClient(to: session)
            return nil
        }
        let parameters = options.parameters
        if browserOptions.paste {
            let paste = PastedRedirect(redirectURI: redirectURI, timeout: .seconds(browserOptions.loginTimeout))
            return try await paste.signIn(to: session, parameters, help)
        }
        if options.device {
            return try await session.signInWithDeviceCode(parameters) { device in
                Terminal.note(DeviceCodePrompt.text(device, on: .current))
            }
        }
        let browser = browserOptions.browser(redirect).announcing { [help] in help.begin($0) }
        defer { help.end() }
        do {
            return try await session.signIn(using: browser, parameters)
        } catch let error as AuthorizationError where error.code == .timedOut {
            throw Failure(.failed, error.description, help.advice() ?? "Compare the values above, and start again.")
        } catch {
            if Task.isCancelled { help.show() }
            throw error
        }
    }

    /// Gets a token in any case: the credentials may differ from those of a session that exists.
    private func signInAsClient(to session: AuthSession) async throws {
        await session.restore(validating: false)
        if case .signedIn = session.state {
            // Tried beside the session, because credentials that are refused must not replace those that work.
            let trial = AuthSession(backend: session.backend, store: MemoryStore(), transport: settings.transport)
            try await trial.signInWithClientCredentials(usesDPoP: options.dpop)
            await trial.signOut()
            if await session.isSenderConstrained == options.dpop { return try await session.refresh() }
            await session.signOut()
        }
        try await session.signInWithClientCredentials(usesDPoP: options.dpop)
    }

    private var redirectURI: String {
        "http://\(redirect.host == .localhost ? "localhost" : "127.0.0.1"):\(redirect.port)\(redirect.path)"
    }

    /// Returns a port that is free, and that the system gives to no other program until the listener opens it again.
    ///
    /// The ports that systems give to connections begin at 32,768.
    private static func freePort(for redirect: LoopbackRedirect) async throws -> Int {
        var attempts = 16
        while true {
            var attempt = redirect
            attempt.port = Int.random(in: 20_000..<32_768)
            do {
                _ = try await LoopbackListener.start(attempt)
                return attempt.port
            } catch let error as AuthorizationError where error.code == .listenerFailed && attempts > 1 {
                attempts -= 1
            }
        }
    }

    private func client(
        _ secret: ClientSecret?,
        _ key: ClientAssertionKey?,
        at metadata: ProviderMetadata
    ) async throws -> OpenIDClient {
        guard let id = options.clientID, !id.isEmpty else { return try await registered(at: metadata) }
        if let key { return .confidential(id: id, key: key) }
        guard let secret else { return .public(id: id) }
        return switch options.clientAuth {
        case .post?: .confidential(id: id, secret: secret, method: .post)
        case .basic?: .confidential(id: id, secret: secret, method: .basic)
        default: .confidential(id: id, secret: secret, at: metadata)
        }
    }

    private func registered(at metadata: ProviderMetadata) async throws -> OpenIDClient {
        var client = ClientMetadata(name: "sallyport", redirectURIs: [redirectURI])
        client.scope = options.scope
        client.usesDeviceAuthorization = options.device
        return try await .register(client, at: metadata, settings: settings)
    }

    private static func contents(of file: String, _ option: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(filePath: file))
        } catch {
            throw Failure(.wrongArguments, "The file \(file) can't be read.", "Check \(option).")
        }
    }

    private static func key(in file: String, keyID: String?) throws -> ClientAssertionKey {
        let pem = String(decoding: try contents(of: file, "--private-key"), as: UTF8.self)
        do {
            return try ClientAssertionKey(pem: pem, keyID: keyID)
        } catch {
            throw Failure(.wrongArguments, error.description, "Check the file \(file) (--private-key).")
        }
    }

    /// Reads the first line of a file, without its end.
    private static func secret(in file: String) throws -> ClientSecret {
        let data = try contents(of: file, "--client-secret-file")
        // Splits bytes, because text in another encoding than UTF-8 is not an empty file.
        guard let line = data.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first else {
            throw Failure(.wrongArguments, "The file \(file) is empty.", "Check --client-secret-file.")
        }
        do {
            return try ClientSecret(String(decoding: line, as: UTF8.self))
        } catch {
            throw Failure(
                .wrongArguments,
                error.description,
                "Check the first line of \(file) (--client-secret-file): a client secret is printable ASCII."
            )
        }
    }
}
