import Sallyport

func signInWithGoogle(clientID: String, secret: ClientSecret, store: any SecureStore) async throws -> AuthSession {
    if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }
    let issuer = try Issuer("https://accounts.google.com")
    let client = OpenIDClient.confidential(id: clientID, secret: secret, method: .post)
    let provider = try await OpenIDProvider.discover(issuer: issuer, client: client)
    let session = AuthSession(backend: .openID(provider), store: store)
    try await session.signIn(using: .systemBrowser())
    return session
}
