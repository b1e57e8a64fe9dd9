import Sallyport

func signInWithAuth0(clientID: String, audience: String, store: any SecureStore) async throws -> AuthSession {
    if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }
    let issuer = try Issuer("https://acme.auth0.com/")
    let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: clientID))
    let session = AuthSession(backend: .openID(provider), store: store)
    var parameters = AuthorizationParameters()
    parameters.additionalParameters["audience"] = audience
    try await session.signIn(using: .systemBrowser(), parameters)
    return session
}
