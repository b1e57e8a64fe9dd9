import HTTPTypes
import Sallyport

/// The samples of the providers' pages, as a program.
///
///     ProviderSample PROVIDER sign-in [CLIENT_ID] [SECRET]     opens the browser; prints the user's identifier
///     ProviderSample PROVIDER user [CLIENT_ID] [SECRET]        the same, with the stored session and no browser
///     ProviderSample PROVIDER refresh [CLIENT_ID] [SECRET]
///     ProviderSample PROVIDER api URL [CLIENT_ID] [SECRET]     prints the status of a GET
///     ProviderSample PROVIDER sign-out [CLIENT_ID] [SECRET]    prints the outcome of the revocation
///     ProviderSample PROVIDER device [CLIENT_ID] [SECRET]      prints an address and a code, and then the user
///
/// Every failure is an uncaught error, so that the process fails.
@main
struct ProviderSample {
    private let provider: String
    private let clientID: String
    private let secret: String?
    private let store: KeyringStore

    private static let service = "com.example.provider-sample"

    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        guard let provider = arguments.popFirst(), let action = arguments.popFirst() else {
            throw SampleError("PROVIDER and an action are missing")
        }
        let url = action == "api" ? arguments.popFirst() : nil
        let sample = ProviderSample(
            provider: provider,
            clientID: arguments.popFirst() ?? "",
            secret: arguments.popFirst(),
            store: try KeyringStore(service: service)
        )
        let session = try await action == "device" ? sample.deviceSession() : sample.session()
        switch action {
        case "sign-in", "user", "device": print(Self.userID(of: session))
        case "refresh": print(try await refresh(session))
        case "api": print(try await status(of: url ?? "", with: session))
        case "sign-out": print(await session.signOut().revocation)
        default: throw SampleError("no such action: \(action)")
        }
        try await session.flush()
    }

    /// Returns the session of the provider's page: the stored one, or one that the user signs in to.
    private func session() async throws -> AuthSession {
        switch provider {
        case "google": try await signInWithGoogle(clientID: clientID, secret: clientSecret(), store: store)
        case "microsoft": try await signInWithMicrosoft(clientID: clientID, store: store)
        case "auth0":
            try await signInWithAuth0(clientID: clientID, audience: "https://api.example.com/jobs", store: store)
        case "okta": try await signInWithOkta(clientID: clientID, store: store)
        case "keycloak": try await signInWithKeycloak(clientID: clientID, store: store)
        case "cognito": try await signInWithCognito(clientID: clientID, store: store)
        case "gitlab": try await signInWithGitLab(clientID: clientID, store: store)
        case "github": try await signInWithGitHub(clientID: clientID, secret: clientSecret(), store: store)
        case "mcp": try await signInToMCPServer("https://mcp.example.com/mcp", service: Self.service)
        default: throw SampleError("no such provider: \(provider)")
        }
    }

    private func clientSecret() throws -> ClientSecret { try ClientSecret(secret ?? "") }

    private static func userID(of session: AuthSession) -> String {
        guard case .signedIn(let user?, _) = session.state else { return "unnamed" }
        return user.id
    }

    private static func refresh(_ session: AuthSession) async throws -> String {
        // The tokens of GitHub's OAuth apps have no end.
        guard await session.canRefresh else { return "no refresh token" }
        try await session.refresh()
        return "refreshed"
    }

    private static func status(of url: String, with session: AuthSession) async throws -> Int {
        let api = APIClient(baseURL: try BaseURL(originOf: url), authenticatedBy: session)
        // GitHub's API refuses a request without a user agent.
        var endpoint = Endpoint.raw(.get, "").at(url)
        endpoint.headers = [.userAgent: "provider-sample"]
        return try await api.send(endpoint).head.status.code
    }
}

// MARK: The device flow

extension ProviderSample {
    private static let issuers = [
        "google": "https://accounts.google.com", "microsoft": "https://login.microsoftonline.com/common/v2.0",
        "auth0": "https://acme.auth0.com/", "okta": "https://acme.okta.com/oauth2/default",
        "keycloak": "https://sso.example.com/realms/acme", "gitlab": "https://gitlab.com",
    ]

    /// Returns a session that the user signs in to on another device.
    private func deviceSession() async throws -> AuthSession {
        let session = AuthSession(backend: try await deviceBackend(), store: store)
        try await session.signInWithDeviceCode { device in
            print(device.verificationURI, device.userCode)
        }
        return session
    }

    /// Returns the backend for the client of the device flow, which at most providers is another than the browser's.
    private func deviceBackend() async throws -> SessionBackend {
        let client: OpenIDClient =
            secret == nil
            ? .public(id: clientID) : .confidential(id: clientID, secret: try clientSecret(), method: .post)
        if provider == "github" { return .openID(try OpenIDProvider.github(client: client)) }
        guard let address = Self.issuers[provider] else { throw OpenIDError(.deviceAuthorization, .unsupported) }
        let issuer = try Issuer(address)
        if provider == "gitlab" { return .openID(try Self.gitLab(issuer, client)) }
        return .openID(try await OpenIDProvider.discover(issuer: issuer, client: client))
    }

    /// Returns GitLab with its endpoints by hand, because its metadata don't name that of the device flow.
    private static func gitLab(_ issuer: Issuer, _ client: OpenIDClient) throws -> OpenIDProvider {
        let metadata = try ProviderMetadata.endpoints(
            of: issuer,
            authorizationEndpoint: "\(issuer)/oauth/authorize",
            tokenEndpoint: "\(issuer)/oauth/token",
            deviceAuthorizationEndpoint: "\(issuer)/oauth/authorize_device"
        )
        let user = OAuthUserEndpoint(url: try EndpointURL("\(issuer)/oauth/userinfo", of: issuer))
        return .oauth(metadata: metadata, client: client, userEndpoint: user)
    }
}

/// A mistake in the arguments.
struct SampleError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
