import APIClient
import AuthCore
import AuthSession
import AuthTesting
import OpenIDConnect
import OpenIDSession
import SecureStore

/// The code of `Docs/OpenIDConnect.md`, compiled from outside the package, as its readers do.
///
/// Change both together; ``SampleTests`` shows any difference.
enum OpenIDConnectSamples {
    static func atLaunch(store: any SecureStore) async throws -> AuthSession? {
        if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }
        return nil
    }

    static func inTheBrowser(store: any SecureStore) async throws -> SessionUser? {
        let issuer = try Issuer("https://id.example.com")
        let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: "native"))
        let session = AuthSession(backend: .openID(provider), store: store)
        let user = try await session.signIn(using: .systemBrowser())
        return user
    }

    static func customScheme(session: AuthSession, address: String) async throws -> (String, SessionUser?) {
        let url = try await session.beginSignIn(redirectURI: "recipe://callback")
        let user = try await session.completeSignIn(redirectedTo: address)
        return (url, user)
    }

    static func device(
        session: AuthSession,
        show: @escaping @Sendable (String, String) -> Void
    ) async throws -> SessionUser? {
        let user = try await session.signInWithDeviceCode { device in
            show(device.verificationURI, device.userCode)
            _ = device.verificationURIComplete
        }
        return user
    }

    static func byHand(provider: OpenIDProvider, address: String) async throws -> (String, String?) {
        let request = AuthorizationRequest(
            provider: provider.metadata,
            clientID: provider.client.id,
            redirectURI: "recipe://callback",
            nonce: Nonce().sha256
        )
        let url = try await provider.authorizationURL(for: request)
        let response = try AuthorizationResponse(redirectedTo: address, answering: request)
        let tokens = try await provider.tokens(for: response, to: request)
        let subject = tokens.idToken?.subject
        return (url, subject)
    }

    static func testing() async throws -> AuthSession {
        let provider = InProcessProvider()
        var settings = ProviderSettings()
        settings.transport = provider
        let issuer = try Issuer(provider.issuer)
        let known = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: "native"), settings: settings)
        let session = AuthSession(backend: .openID(known), store: MemoryStore())
        let url = try await session.beginSignIn(redirectURI: "recipe://callback")
        let callback = provider.authorize(url).redirectURL
        try await session.completeSignIn(redirectedTo: callback ?? "")
        provider.inject(.dropReply(at: .token))
        return session
    }
}
