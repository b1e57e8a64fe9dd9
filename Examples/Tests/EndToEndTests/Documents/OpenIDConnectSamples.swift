import APIClient
import AuthCore
import AuthSession
import AuthTesting
import OpenIDConnect
import OpenIDSession
import SecureStore

/// The code of the articles about a provider, compiled from outside the package, as their readers do.
///
/// `SigningInAtAProvider.md` of OpenIDSession's catalog and `OpenIDConnect.md` of OpenIDConnect's. Change them together;
/// ``SampleTests`` shows any difference.
struct OpenIDConnectSamples {
    func session(in store: any SecureStore) async throws -> AuthSession {
        if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }

        let issuer = try Issuer("https://id.example.com")
        let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: "native"))
        return AuthSession(backend: .openID(provider), store: store)
    }

    func signIn(to session: AuthSession) async throws -> SessionUser? {
        try await session.signIn(using: .systemBrowser())
    }

    func beginSignIn(to session: AuthSession) async throws -> String {
        try await session.beginSignIn(redirectURI: "recipe://callback")
    }

    func completeSignIn(to session: AuthSession, openedWith address: String) async throws -> SessionUser? {
        guard try await session.isSignInResponse(address) else { return nil }
        return try await session.completeSignIn(redirectedTo: address)
    }

    func signInOnAnotherDevice(
        to session: AuthSession,
        show: @escaping @Sendable (_ address: String, _ code: String, _ addressForQRCode: String?) -> Void
    ) async throws -> SessionUser? {
        try await session.signInWithDeviceCode { device in
            show(device.verificationURI, device.userCode, device.verificationURIComplete)
        }
    }

    func signIn(
        at provider: OpenIDProvider,
        through browser: (_ url: String) async throws -> String
    ) async throws -> OpenIDTokens {
        let request = AuthorizationRequest(
            provider: provider.metadata,
            clientID: provider.client.id,
            redirectURI: "recipe://callback",
            nonce: Nonce().sha256
        )
        let url = try await provider.authorizationURL(for: request)
        let address = try await browser(url)
        let response = try AuthorizationResponse(redirectedTo: address, answering: request)
        return try await provider.tokens(for: response, to: request)
    }

    func signedInForATest() async throws -> AuthSession {
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
