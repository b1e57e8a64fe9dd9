import Sallyport

func signInWithMicrosoft(clientID: String, store: any SecureStore) async throws -> AuthSession {
    if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }
    let issuer = try Issuer("https://login.microsoftonline.com/common/v2.0")
    let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: clientID))
    let session = AuthSession(backend: .openID(provider), store: store)
    try await session.signIn(using: .systemBrowser())
    return session
}
