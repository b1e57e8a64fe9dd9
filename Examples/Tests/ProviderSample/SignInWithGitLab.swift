import Sallyport

func signInWithGitLab(clientID: String, store: any SecureStore) async throws -> AuthSession {
    if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }
    let issuer = try Issuer("https://gitlab.com")
    let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: clientID))
    let session = AuthSession(backend: .openID(provider), store: store)
    let parameters = AuthorizationParameters(scope: "openid profile email read_user")
    try await session.signIn(using: .systemBrowser(), parameters)
    return session
}
