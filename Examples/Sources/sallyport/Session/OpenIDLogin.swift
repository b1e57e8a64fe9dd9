// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession
import SecureStore

/// A sign-in at an OpenID provider, or with OAuth 2.0 alone, of a user or of the client itself.
struct OpenIDLogin: Sendable, Redacted {
    let options: ProviderOptions
    let client: ClientOptions
    let oauth: OAuthOptions
    /// The provider; nil if only its endpoints or the API are known.
    let address: ProviderAddress?
    let settings: ProviderSettings
    private let secret: ClientSecret?
    /// The text of the private key; secret.
    private let pem: String?
    private let key: ClientAssertionKey?
    /// Whether this tool registers its client, whose redirect URI then has a path that no other issuer shares.
    private let registersClient: Bool
    /// The way to sign in, whose redirect has a fixed port if a client is registered, because registration needs it.
    private let user: UserLogin

    init(
        _ options: ProviderOptions,
        _ client: ClientOptions,
        _ oauth: OAuthOptions,
        _ browserOptions: BrowserOptions,
        issuer: String?,
        settings: ProviderSettings
    ) async throws {
        self.options = options
        self.client = client
        self.oauth = oauth
        self.settings = settings
        // Read before any request, so that an error is reported first, and once, because the file may be a pipe.
        secret = try client.clientSecretFile.map { try ClientFiles.secret(in: $0) }
        pem = try client.privateKey.map { try ClientFiles.pem(in: $0) }
        key = try pem.map { try ClientFiles.key($0, client) }
        registersClient = options.clientID?.isEmpty == true
        let isNamed = issuer != nil || options.provider != nil
        address = isNamed ? try ProviderAddress(options.provider, issuer, tenant: options.tenant) : nil
        user = try await UserLogin(
            options,
            browserOptions,
            at: address?.profile ?? .standard,
            fixesPort: registersClient
        )
    }

    /// Returns the provider with this tool's client there.
    ///
    /// - Parameter store: The store of the clients that the tool registers.
    func provider(in store: any SecureStore) async throws -> OpenIDProvider {
        var metadata = try await metadata()
        if options.dpop, metadata.dpopSigningAlgValuesSupported == nil {
            throw Failure(.failed, "The provider does not announce DPoP support.", "Try without --dpop.")
        }
        let registration: OpenIDClient
        if registersClient {
            metadata = metadata.withDistinctRedirect()
            let registered = try await registered(at: metadata, in: store)
            metadata = metadata.withDistinctRedirect(port: registered.port)
            registration = try registered.client()
        } else {
            registration = try client(at: metadata)
        }
        let user = try oauth.userinfoEndpoint.map { try EndpointURL($0, of: metadata.issuer) }
        guard isPlainOAuth else {
            return OpenIDProvider(metadata: metadata, client: registration, settings: settings)
        }
        return .oauth(
            metadata: metadata,
            client: registration,
            userEndpoint: user.map { OAuthUserEndpoint(url: $0) },
            settings: settings
        )
    }

    /// Returns what later commands need beside the session.
    ///
    /// - Parameter usesCertificate: Whether the client has a TLS certificate.
    func storedClient(at provider: OpenIDProvider, usesCertificate: Bool) -> StoredClient {
        StoredClient(
            authority: SessionBackend.openID(provider).authority.id,
            key: pem,
            algorithm: client.assertionAlgorithm?.algorithm.description,
            keyID: client.keyID,
            audience: client.assertionAudience?.audience.rawValue,
            identityFile: client.workloadToken.map { ClientFiles.absolutePath($0) },
            usesCertificate: usesCertificate,
            program: program(at: provider)
        )
    }

    /// Returns the sign-in of a program; nil if a user signs in.
    private func program(at provider: OpenIDProvider) -> ProgramLogin? {
        guard client.programOption != nil else { return nil }
        var target = options.target
        target.resources = resources(at: provider)
        return ProgramLogin(
            provider: StoredProvider(provider),
            resources: provider.profile.resources,
            grant: client.jwtBearer ? .jwtBearer : .clientCredentials,
            subject: client.subject,
            target: target,
            usesDPoP: options.dpop
        )
    }

    private var identity: IdentityTokenSource? {
        client.workloadToken.map { .file(path: ClientFiles.absolutePath($0)) }
    }

    private var isPlainOAuth: Bool { oauth.oauth || address?.isGitHub ?? false }

    private func metadata() async throws -> ProviderMetadata {
        guard isPlainOAuth else {
            return try await ProviderMetadata.discover(issuer: try required(address).issuer, settings: settings)
        }
        if let authorization = oauth.authorizationEndpoint, let token = oauth.tokenEndpoint {
            // Without an issuer, the origin of the token endpoint names the server.
            let issuer = forResources(try address?.issuer ?? Issuer(BaseURL(originOf: token).origin))
            return try .endpoints(
                of: issuer,
                authorizationEndpoint: authorization,
                tokenEndpoint: token,
                deviceAuthorizationEndpoint: oauth.deviceEndpoint
            )
        }
        if address == nil, let resource = options.resource.first { return try await metadata(ofAPI: resource) }
        let address = try required(address)
        if address.isGitHub { return try .github(server: address.issuer.baseURL) }
        return try await ProviderMetadata.discover(
            authorizationServer: forResources(address.issuer),
            settings: settings
        )
    }

    private func metadata(ofAPI resource: String) async throws -> ProviderMetadata {
        let api: ProtectedResource
        do {
            api = try await .discover(resource, settings: settings)
        } catch let error as OpenIDError {
            throw Failure(error, ofAPI: resource)
        }
        let issuer = api.authorizationServers[0].identifier
        Terminal.note("The API at \(resource) has the authorization server \(Terminal.shown(issuer) ?? "").")
        do {
            return try await .discover(api, settings: settings)
        } catch let error as OpenIDError {
            throw Failure(error, ofServer: issuer, namedBy: resource)
        }
    }

    /// Returns the APIs of the arguments; the first in the API's own spelling if the API has named the server.
    private func resources(at provider: OpenIDProvider?) -> [String] {
        guard address == nil, oauth.tokenEndpoint == nil, let own = provider?.profile.resources.first else {
            return options.resource
        }
        return [own] + options.resource.dropFirst()
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

    /// Signs a user in.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - store: The store of the clients that the tool registers. If the sign-in fails, the server may have forgotten
    ///     the client, so the tool forgets it too.
    /// - Returns: The user; nil if the server named no user.
    /// - Throws: ``Failure``; the errors of the session's ways to sign in; `CancellationError`.
    func signIn(to session: AuthSession, in store: any SecureStore) async throws -> SessionUser? {
        let provider = session.provider
        let login = registersClient ? provider.map { user.withRedirect(of: $0.profile) } ?? user : user
        var parameters = options.parameters
        parameters.resources = resources(at: provider)
        do {
            return try await login.signIn(to: session, parameters)
        } catch {
            if registersClient, let id = provider?.client.id, error.mayConcernClient {
                // Also in a task that is cancelled.
                await Task { try? await RegisteredClient.forget(id, in: store) }.value
            }
            guard let error = error as? OpenIDError, error.reason == .distinctRedirectRequired else { throw error }
            throw Failure(error, ownPath: provider?.metadata.issuer.distinctRedirectPath ?? "PATH")
        }
    }

    private func client(at metadata: ProviderMetadata) throws -> OpenIDClient {
        let id = options.clientID ?? ""
        // The assertion of the grant proves the client's identity.
        if client.jwtBearer { return .public(id: id) }
        if let key { return .confidential(id: id, key: key) }
        if let identity { return .confidential(id: id, identity: identity) }
        guard let secret else {
            // Without metadata nothing says whether the server reads the client's.
            let isAddress = id.lowercased().hasPrefix("https://") && oauth.tokenEndpoint == nil
            return isAddress ? try .metadataDocument(id, at: metadata) : .public(id: id)
        }
        return switch client.clientAuth {
        case .post?: .confidential(id: id, secret: secret, method: .post)
        case .basic?: .confidential(id: id, secret: secret, method: .basic)
        default: .confidential(id: id, secret: secret, at: metadata)
        }
    }

    /// Returns the client that the tool registered at the issuer before, or registers one and keeps it.
    private func registered(
        at metadata: ProviderMetadata,
        in store: any SecureStore
    ) async throws -> RegisteredClient {
        let issuer = metadata.issuer
        let kept = try await Terminal.unlocking(store) {
            try await store.probe()
            return try await RegisteredClient.kept(in: store)
        }
        for known in kept where known.issuer == issuer.identifier {
            let login = user.withRedirect(of: metadata.withDistinctRedirect(port: known.port).issuer.profile)
            let new = RegisteredClient(known.registration, at: issuer, login.redirectURI, options)
            if new == known, await login.isPortFree { return known }
        }
        let redirectURI = user.withRedirect(of: metadata.issuer.profile).redirectURI
        var request = ClientMetadata(name: "sallyport", redirectURIs: [redirectURI])
        request.scope = options.scope
        request.usesDeviceAuthorization = options.device
        let client = try await OpenIDClient.register(request, at: metadata, settings: settings)
        let new = RegisteredClient(.init(client), at: issuer, redirectURI, options)
        try await new.keep(in: store)
        return new
    }
}

extension Error {
    /// Whether another client might sign in where this error came: not if the user declined, or no server was reached.
    fileprivate var mayConcernClient: Bool {
        if let error = self as? OpenIDError { return !error.isRetryable && error.code != .cancelled }
        if let error = self as? AuthSessionError { return ![.unreachable, .signInCancelled].contains(error.code) }
        return true
    }
}
