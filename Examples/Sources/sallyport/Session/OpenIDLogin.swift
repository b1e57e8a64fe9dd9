import APIClient
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession

/// A sign-in at an OpenID provider, in the browser or on another device.
struct OpenIDLogin: Sendable {
    let options: ProviderOptions
    let browser: ExternalUserAgent
    let settings: ProviderSettings

    /// Returns the provider with this tool's client there.
    func provider(_ issuer: String) async throws -> OpenIDProvider {
        // Read first, so that an error is reported before any request.
        let secret = try options.clientSecretFile.map { try Self.secret(in: $0) }
        let metadata = try await ProviderMetadata.discover(issuer: try Issuer(issuer), settings: settings)
        if options.dpop, metadata.dpopSigningAlgValuesSupported == nil {
            throw Failure(.failed, "The provider does not announce DPoP support.", "Try without --dpop.")
        }
        let client = try await client(secret, at: metadata)
        return OpenIDProvider(metadata: metadata, client: client, settings: settings)
    }

    func signIn(to session: AuthSession) async throws -> SessionUser? {
        try await session.probeStore()
        let parameters = options.parameters
        guard options.device else { return try await session.signIn(using: browser, parameters) }
        return try await session.signInWithDeviceCode(parameters) { device in
            Terminal.note(DeviceCodePrompt.text(device, on: .current))
        }
    }

    /// Returns the browser for a sign-in, with a fixed port if a client is registered, because registration needs it.
    static func browser(_ options: ProviderOptions, _ browserOptions: BrowserOptions) async throws -> ExternalUserAgent
    {
        var port = browserOptions.redirectPort
        if port == 0, options.clientID?.isEmpty == true { port = try await portToRegister(browserOptions) }
        return browserOptions.browser(port: port)
    }

    /// Returns a port that is free, and that the system gives to no other program until the listener opens it again.
    ///
    /// The ports that systems give to connections begin at 32,768.
    private static func portToRegister(_ browserOptions: BrowserOptions) async throws -> Int {
        var attempts = 16
        while true {
            let port = Int.random(in: 20_000..<32_768)
            do {
                _ = try await LoopbackListener.start(browserOptions.redirect(port: port))
                return port
            } catch let error as AuthorizationError where error.code == .listenerFailed && attempts > 1 {
                attempts -= 1
            }
        }
    }

    private func client(_ secret: ClientSecret?, at metadata: ProviderMetadata) async throws -> OpenIDClient {
        guard let id = options.clientID, !id.isEmpty else { return try await registered(at: metadata) }
        guard let secret else { return .public(id: id) }
        let method: ClientAuthentication.Method = options.clientAuth == .post ? .post : .basic
        return .confidential(id: id, secret: secret, method: method)
    }

    private func registered(at metadata: ProviderMetadata) async throws -> OpenIDClient {
        var client = ClientMetadata(
            name: "sallyport",
            redirectURIs: [
                "http://\(browser.redirect.host == .localhost ? "localhost" : "127.0.0.1"):\(browser.redirect.port)"
                    + browser.redirect.path
            ]
        )
        client.scope = options.scope
        client.usesDeviceAuthorization = options.device
        return try await .register(client, at: metadata, settings: settings)
    }

    /// Reads the first line of a file, without its end.
    private static func secret(in file: String) throws -> ClientSecret {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file))
        } catch {
            throw Failure(
                .wrongArguments,
                "The file \(file) can't be read.",
                "Check --client-secret-file."
            )
        }
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
