import Sallyport

func signInWithCognito(clientID: String, store: any SecureStore) async throws -> AuthSession {
    if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }
    let issuer = try Issuer("https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab129faBb")
    let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: clientID))
    let session = AuthSession(backend: .openID(provider), store: store)
    try await session.signIn(using: .systemBrowser())
    return session
}
