import Sallyport

func signInWithGitHub(clientID: String, secret: ClientSecret, store: any SecureStore) async throws -> AuthSession {
    if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }
    let client = OpenIDClient.confidential(id: clientID, secret: secret, method: .post)
    let provider = try OpenIDProvider.github(client: client)
    let session = AuthSession(backend: .openID(provider), store: store)
    try await session.signIn(using: .systemBrowser())
    return session
}
