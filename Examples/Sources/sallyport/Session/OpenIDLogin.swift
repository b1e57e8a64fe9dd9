// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession

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
    func provider() async throws -> OpenIDProvider {
        var metadata = try await metadata()
        if registersClient { metadata = metadata.withDistinctRedirect() }
        if options.dpop, metadata.dpopSigningAlgValuesSupported == nil {
            throw Failure(.failed, "The provider does not announce DPoP support.", "Try without --dpop.")
        }
        let registration = try await registration(at: metadata)
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
        return ProgramLogin(
            provider: StoredProvider(provider),
            resources: provider.profile.resources,
            grant: client.jwtBearer ? .jwtBearer : .clientCredentials,
            subject: client.subject,
            target: options.target,
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
        if address == nil, let resource = options.resource.first {
            let metadata = try await ProviderMetadata.discover(resource: resource, settings: settings)
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

    /// Signs a user in.
    ///
    /// - Returns: The user; nil if the server named no user.
    /// - Throws: ``Failure``; the errors of the session's ways to sign in; `CancellationError`.
    func signIn(to session: AuthSession) async throws -> SessionUser? {
        let profile = registersClient ? session.provider?.profile : nil
        let login = profile.map { user.withRedirectPath(of: $0) } ?? user
        do {
            return try await login.signIn(to: session, options.parameters)
        } catch let error as OpenIDError where error.reason == .distinctRedirectRequired {
            throw Failure(error, ownPath: session.provider?.metadata.issuer.distinctRedirectPath ?? "PATH")
        }
    }

    private func registration(at metadata: ProviderMetadata) async throws -> OpenIDClient {
        guard let id = options.clientID, !id.isEmpty else { return try await registered(at: metadata) }
        // The assertion of the grant proves the client's identity.
        if client.jwtBearer { return .public(id: id) }
        if let key { return .confidential(id: id, key: key) }
        if let identity { return .confidential(id: id, identity: identity) }
        guard let secret else { return .public(id: id) }
        return switch client.clientAuth {
        case .post?: .confidential(id: id, secret: secret, method: .post)
        case .basic?: .confidential(id: id, secret: secret, method: .basic)
        default: .confidential(id: id, secret: secret, at: metadata)
        }
    }

    private func registered(at metadata: ProviderMetadata) async throws -> OpenIDClient {
        let login = user.withRedirectPath(of: metadata.issuer.profile)
        var client = ClientMetadata(name: "sallyport", redirectURIs: [login.redirectURI])
        client.scope = options.scope
        client.usesDeviceAuthorization = options.device
        return try await .register(client, at: metadata, settings: settings)
    }
}
